import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'
import { BEGINNING } from '#src/storage/log/audit-chain.ts'

/** Stay as they are when an event is redacted. */
const KEPT = [
  'id',
  'event_id',
  'event_type',
  'entity_type',
  'item_id',
  'tag_id',
  'user_id',
  'source',
  'created_at',
  'change_id',
  'client',
  'details_hash',
  'hash',
] as const

/**
 * The log proves more (decision 47): what undo keeps beside events from the newest one on, and changes. A redaction
 * empties `state` too, for the salt is made of it.
 */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('audit_seal')
    .addColumn('after', dialect.text, (column) => column.notNull())
    .execute()
  await sql`insert into audit_seal (after) values (coalesce(
    (select hash from audit_event order by event_id desc limit 1), ${sql.lit(BEGINNING)}))`.execute(db)
  for (const column of ['summary_salt', 'summary_hash', 'hash'])
    await db.schema.alterTable('change').addColumn(column, dialect.text).execute()
  const same = KEPT.map((name) => sql`new.${sql.ref(name)} is not distinct from old.${sql.ref(name)}`)
  await dialect.letUpdatesThrough(
    db,
    'audit_event',
    sql`old.redacted = 0 and new.redacted = 1 and new.details = '{}' and new.details_salt is null
      and new.state is null and ${sql.join(same, sql` and `)} and old.event_type <> 'audit_redacted'
      and exists (select 1 from audit_event e where e.item_id = old.item_id and e.event_id > old.event_id
        and e.event_type = 'audit_redacted')`,
  )
}
