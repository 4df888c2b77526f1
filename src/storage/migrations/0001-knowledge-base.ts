import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Items, tags, their value index, the audit log, accounts and sessions. */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  const { rowId, text, autoIncrement } = dialect

  await db.schema
    .createTable('item')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('item_id', text, (column) => column.notNull().unique())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('description', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('deleted_at', text)
    .execute()
  // What is sorted by name or by a time, or compared by name, is walked in index order.
  await dialect.createNameIndex(db)
  await db.schema
    .createIndex('item_created')
    .on('item')
    .columns(['created_at', 'id'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('item_updated')
    .on('item')
    .columns(['updated_at', 'id'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('item_deleted')
    .on('item')
    .column('item_id')
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute()

  // References to a purged item go on existing, dangling: its row id still means its ULID.
  await db.schema
    .createTable('purged_item')
    .addColumn('id', rowId, (column) => column.primaryKey())
    .addColumn('item_id', text, (column) => column.notNull().unique())
    .execute()

  await db.schema
    .createTable('tag')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('tag_id', text, (column) => column.notNull().unique())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('description', text)
    .addColumn('fields', text, (column) => column.notNull())
    .addColumn('schema_version', 'integer', (column) => column.notNull())
    .addColumn('folded_name', text, (column) => column.notNull())
    .addColumn('folded_description', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('deleted_at', text)
    .execute()
  await db.schema
    .createIndex('tag_name')
    .unique()
    .on('tag')
    .column('name')
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()

  await db.schema
    .createTable('tag_base')
    .addColumn('tag', rowId, (column) => column.notNull().references('tag.id').onDelete('cascade'))
    .addColumn('base', rowId, (column) => column.notNull().references('tag.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('tag_base_key', ['tag', 'base'])
    .execute()
  await db.schema.createIndex('tag_base_base').on('tag_base').columns(['base', 'tag']).execute()

  await db.schema
    .createTable('field')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('tag', rowId, (column) => column.notNull().references('tag.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addUniqueConstraint('field_key', ['tag', 'name'])
    .execute()

  await db.schema
    .createTable('item_tag')
    .addColumn('item', rowId, (column) => column.notNull().references('item.id').onDelete('cascade'))
    .addColumn('tag', rowId, (column) => column.notNull().references('tag.id'))
    .addColumn('schema_version', 'integer', (column) => column.notNull())
    .addColumn('field_values', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('item_tag_key', ['item', 'tag'])
    .modifyEnd(dialect.clustered)
    .execute()
  await db.schema
    .createIndex('item_tag_tag')
    .on('item_tag')
    .columns(['tag', 'schema_version', 'item'])
    .execute()

  await dialect.createFieldValueTable(db)
  await dialect.createItemTextTable(db)
  await dialect.createEngineTables(db)

  await db.schema
    .createTable('audit_event')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('event_id', text, (column) => column.notNull().unique())
    .addColumn('event_type', text, (column) => column.notNull())
    .addColumn('entity_type', text, (column) => column.notNull())
    .addColumn('item_id', text)
    .addColumn('tag_id', text)
    .addColumn('user_id', text)
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('details', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute()
  // The log is read newest first and cut by time; both are the order of its ids.
  for (const [name, column] of [
    ['audit_event_item', 'item_id'],
    ['audit_event_tag', 'tag_id'],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('audit_event')
      .columns([column, 'event_id'])
      .where(sql.ref(column), 'is not', null)
      .execute()
  await db.schema
    .createIndex('audit_event_type')
    .on('audit_event')
    .columns(['event_type', 'event_id'])
    .execute()
  await dialect.makeAppendOnly(db, 'audit_event', ['id', 'event_id'])

  await db.schema
    .createTable('account')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('user_id', text, (column) => column.notNull().unique())
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull().unique())
    .addColumn('display_name', text)
    .addColumn('password_hash', text)
    .addColumn('email_proven_at', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('session')
    .addColumn('token_hash', text, (column) => column.primaryKey())
    .addColumn('user_id', text, (column) =>
      column.notNull().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('state', text, (column) => column.notNull().check(sql`state in ('partial', 'full')`))
    .addColumn('wrong_codes', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('session_user').on('session').column('user_id').execute()
  await db.schema.createIndex('session_expiry').on('session').column('expires_at').execute()
  await db.schema
    .createTable('login_failure')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('failed_at', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('login_failure_key').on('login_failure').columns(['key', 'failed_at']).execute()
}
