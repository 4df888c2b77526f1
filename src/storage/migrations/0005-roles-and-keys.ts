import { type Kysely, sql } from 'kysely'
import { ulidSource } from '#src/domain/ulid-source.ts'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Roles, keys, invitations, recovery codes, the security log, and what a list of sessions tells (additions §1, §2). */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  await extendAccounts(db, dialect)
  await extendSessions(db, dialect)
  await createKeysAndInvitations(db, dialect)
  await createSecurityLog(db, dialect)
}

/** The oldest account becomes the owner. */
async function extendAccounts(
  db: Kysely<Tables>,
  { text, rowId, autoIncrement }: SchemaDialect,
): Promise<void> {
  await db.schema
    .alterTable('account')
    .addColumn('role', text, (column) =>
      column
        .notNull()
        .defaultTo('editor')
        .check(sql`role in ('owner', 'editor', 'reader')`),
    )
    .execute()
  for (const column of ['disabled_at', 'last_used_at', 'preferences', 'email_changed_at'])
    await db.schema.alterTable('account').addColumn(column, text).execute()
  await sql`update account set role = 'owner' where id = (select min(id) from account)`.execute(db)
  // What is left of deleted accounts, so that logs can still name somebody.
  await db.schema
    .createTable('deleted_account')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('user_id', text, (column) => column.notNull().unique())
    .addColumn('deleted_at', text, (column) => column.notNull())
    .execute()
}

async function extendSessions(db: Kysely<Tables>, { text }: SchemaDialect): Promise<void> {
  for (const column of ['session_id', 'user_agent', 'address', 'proven_at'])
    await db.schema.alterTable('session').addColumn(column, text).execute()
  const newId = ulidSource()
  const old = await db
    .selectFrom('session')
    .select(['token_hash', 'created_at'])
    .orderBy('created_at')
    .execute()
  for (const { token_hash, created_at } of old)
    await db
      .updateTable('session')
      .set({ session_id: newId(Date.parse(created_at)), proven_at: created_at })
      .where('token_hash', '=', token_hash)
      .execute()
  await db.schema.createIndex('session_id').unique().on('session').column('session_id').execute()
}

async function createKeysAndInvitations(
  db: Kysely<Tables>,
  { text, rowId, autoIncrement }: SchemaDialect,
): Promise<void> {
  await db.schema
    .createTable('api_key')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('key_id', text, (column) => column.notNull().unique())
    .addColumn('user_id', text, (column) =>
      column.notNull().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('scope', text, (column) => column.notNull().check(sql`scope in ('read', 'write')`))
    .addColumn('prefix', text, (column) => column.notNull())
    .addColumn('key_hash', text, (column) => column.notNull().unique())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('expires_at', text)
    .addColumn('last_used_at', text)
    .execute()
  await db.schema.createIndex('api_key_user').on('api_key').columns(['user_id', 'id']).execute()

  // Without `created_by` it is the one that the start prints while there is no account.
  await db.schema
    .createTable('invitation')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('invitation_id', text, (column) => column.notNull().unique())
    .addColumn('token_hash', text, (column) => column.notNull().unique())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('email', text)
    .addColumn('created_by', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .addColumn('used_at', text)
    .addColumn('used_by', text)
    .execute()

  await db.schema
    .createTable('recovery_code')
    .addColumn('user_id', text, (column) => column.notNull().references('totp.user_id').onDelete('cascade'))
    .addColumn('code_hash', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_code_key', ['user_id', 'code_hash'])
    .execute()
}

async function createSecurityLog(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  const { text, rowId, autoIncrement } = dialect
  await db.schema
    .createTable('security_event')
    .addColumn('id', rowId, autoIncrement)
    .addColumn('event_id', text, (column) => column.notNull().unique())
    .addColumn('event_type', text, (column) => column.notNull())
    .addColumn('user_id', text)
    .addColumn('actor_id', text)
    .addColumn('address', text)
    .addColumn('user_agent', text)
    .addColumn('client', text)
    .addColumn('details', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('security_event_user')
    .on('security_event')
    .columns(['user_id', 'event_id'])
    .execute()
  // Events from before this moment may be swept; there is one row.
  await db.schema
    .createTable('security_log_horizon')
    .addColumn('id', rowId, (column) => column.primaryKey())
    .addColumn('before', text, (column) => column.notNull())
    .execute()
  await db.insertInto('security_log_horizon').values({ id: 1, before: '' }).execute()
  await dialect.makeAppendOnly(db, 'security_event', ['event_id'], {
    table: 'security_log_horizon',
    column: 'before',
  })
}
