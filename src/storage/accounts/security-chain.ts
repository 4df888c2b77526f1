import { hash } from 'node:crypto'
import type { Ulid } from '#src/domain/ulid.ts'
import { canonicalJson } from '#src/json/canonical-json.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { SecurityEventTable } from '#src/sql/tables.ts'
import { BEGINNING, continueChain } from '#src/storage/log/audit-chain.ts'

/** An event of the security log as it is told; its number in the table is no part of its hash. */
export type SecurityRow = Omit<SecurityEventTable, 'id' | 'previous' | 'hash'>

export const SECURITY_COLUMNS = [
  'event_id',
  'event_type',
  'user_id',
  'actor_id',
  'address',
  'user_agent',
  'client',
  'details',
  'created_at',
] as const satisfies readonly (keyof SecurityRow)[]

const hashOf = (previous: string, row: SecurityRow): string =>
  hash(
    'sha256',
    canonicalJson({ ...Object.fromEntries(SECURITY_COLUMNS.map((name) => [name, row[name]])), previous }),
  )

const insertRow = query((p: SecurityRow & { previous: string; hash: string }, sql) =>
  sql.insertInto('security_event').values({
    event_id: p.event_id,
    event_type: p.event_type,
    user_id: p.user_id,
    actor_id: p.actor_id,
    address: p.address,
    user_agent: p.user_agent,
    client: p.client,
    details: p.details,
    created_at: p.created_at,
    previous: p.previous,
    hash: p.hash,
  }),
)
const newest = query((_: object, sql) =>
  sql.selectFrom('security_event').select('hash').orderBy('id', 'desc').limit(1),
)

/** Of the newest event; of the beginning where there is none, or none that has a hash. */
export const readSecurityHead = async (db: Db): Promise<string> =>
  (await db.get(newest, {}))?.hash ?? BEGINNING

const CHAIN = { key: 'security chain head', read: readSecurityHead }

/** Appends an event, chained to the newest one. */
export async function appendRow(db: Db, row: SecurityRow): Promise<void> {
  let written: Promise<unknown> | undefined
  const link = (previous: string) => {
    const own = hashOf(previous, row)
    written = db.enqueue(insertRow, { ...row, previous, hash: own })
    return own
  }
  await continueChain(db, link, CHAIN)
  await written
}

/** Events that are read at once. */
const PAGE = 500

const behind = query((p: { after: number }, sql) =>
  sql
    .selectFrom('security_event')
    .select([...SECURITY_COLUMNS, 'id', 'previous', 'hash'])
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(PAGE),
)

export interface VerifiedSecurityLog {
  count: number
  /** Events from before the log was chained. */
  unchained: number
  head: string
  /** The first event that does not fit. */
  broken: { event_id: Ulid; reason: string } | null
}

/** Reads the whole security log. What has been swept at its beginning is not missed: the first event says what it followed. */
export async function verifySecurityLog(db: Db): Promise<VerifiedSecurityLog> {
  const log = { count: 0, unchained: 0, head: BEGINNING }
  let isChained = false
  for (let rows = await db.all(behind, { after: 0 }); rows.length;) {
    for (const row of rows) {
      const { event_id, previous } = row
      const reason = faultOf(row, isChained ? log.head : null)
      if (reason) return { ...log, broken: { event_id, reason } }
      log.count++
      if (previous === null) log.unchained++
      else [isChained, log.head] = [true, row.hash!]
    }
    rows = await db.all(behind, { after: rows.at(-1)!.id })
  }
  return { ...log, broken: null }
}

/** `head`: null before the first chained event. */
function faultOf(
  row: SecurityRow & { previous: string | null; hash: string | null },
  head: string | null,
): string | null {
  const { previous } = row
  if (previous === null) return head === null && row.hash === null ? null : 'its hash was taken away'
  if (row.hash !== hashOf(previous, row)) return 'it is not what was recorded'
  if (head !== null && previous !== head) return 'one before it is missing or was put in'
  return null
}
