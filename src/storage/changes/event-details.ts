import { sql } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

/** Bytes. A thousand events may hold a gigabyte: what is longer is read by itself, when its turn comes. */
const LONG = 8 * 1024

/** In the place of `audit_event.details`: null where they are long. */
export const shortDetails = sql<
  string | null
>`case when octet_length(audit_event.details) <= ${sql.lit(LONG)} then audit_event.details end`.as('details')

const longDetails = query((p: { event_id: Ulid }, db) =>
  db.selectFrom('audit_event').select('details').where('event_id', '=', p.event_id),
)

interface ReadShort {
  event_id: Ulid
  /** Null where they are long. */
  details: string | null
}

/** The details of an event that was read with `shortDetails`, as JSON text. */
export const detailsOf = async (db: Db, { event_id, details }: ReadShort): Promise<string> =>
  details ?? (await db.get(longDetails, { event_id }))!.details

/** The event with its details, however long they are. */
export const withDetails = async <Row extends ReadShort>(
  db: Db,
  row: Row,
): Promise<Row & { details: string }> => ({ ...row, details: await detailsOf(db, row) })
