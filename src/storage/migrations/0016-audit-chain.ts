import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'
import { BEGINNING, detailsHash, eventHash, newSalt } from '#src/storage/log/audit-chain.ts'

/** Events that are chained in one statement. */
const AT_ONCE = 500

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
  'state',
  'details_hash',
  'hash',
] as const

/**
 * The log can be proven (additions §6): each event is chained to the one before, those that are there already too, in
 * one pass. The database lets a redaction through that the log itself reports, and no other change.
 */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  for (const column of ['details_salt', 'details_hash', 'hash'])
    await db.schema.alterTable('audit_event').addColumn(column, dialect.text).execute()
  await db.schema
    .alterTable('audit_event')
    .addColumn('redacted', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await dialect.letUpdatesThrough(db, 'audit_event', sql`true`)
  await chainAll(db, sql.raw(dialect.rowId))
  const same = KEPT.map((name) => sql`new.${sql.ref(name)} is not distinct from old.${sql.ref(name)}`)
  await dialect.letUpdatesThrough(
    db,
    'audit_event',
    sql`old.redacted = 0 and new.redacted = 1 and new.details = '{}' and new.details_salt is null
      and ${sql.join(same, sql` and `)} and old.event_type <> 'audit_redacted'
      and exists (select 1 from audit_event e where e.item_id = old.item_id and e.event_id > old.event_id
        and e.event_type = 'audit_redacted')`,
  )
}

async function chainAll(db: Kysely<Tables>, rowId: RawBuilder<unknown>): Promise<void> {
  let previous = BEGINNING
  for (let after = ''; ;) {
    const events = await db
      .selectFrom('audit_event')
      .selectAll()
      .where('event_id', '>', after)
      .orderBy('event_id')
      .limit(AT_ONCE)
      .execute()
    if (!events.length) return
    const links = events.map((event) => {
      const salt = newSalt()
      const details: unknown = JSON.parse(event.details)
      const details_hash = detailsHash(details, salt)
      previous = eventHash(previous, { ...event, change_id: event.change_id ?? event.event_id, details_hash })
      // Cast: a list of values says no types by itself.
      return sql`(cast(${event.id} as ${rowId}), ${JSON.stringify(details)}, ${salt}, ${details_hash}, ${previous})`
    })
    await sql`with link (id, details, salt, details_hash, hash) as (values ${sql.join(links)})
      update audit_event set details = link.details, details_salt = link.salt, details_hash = link.details_hash, hash = link.hash
      from link where audit_event.id = link.id`.execute(db)
    after = events.at(-1)!.event_id
  }
}
