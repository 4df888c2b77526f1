import { hash } from 'node:crypto'
import type { Ulid } from '#src/domain/ulid.ts'
import { canonicalJson } from '#src/json/canonical-json.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { SecurityEventTable } from '#src/sql/tables.ts'
import { BEGINNING, continueChain, SECURITY_HEAD } from '#src/storage/log/audit-chain.ts'

/** An event of the security log as it is shown; its number in the table is no part of its hash. */
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

/** Alongside the chain: the hashes of the newest event that was swept, and of the newest of all. */
const ends = query((_: object, sql) => sql.selectFrom('security_log_horizon').select(['swept', 'head']))
const setHead = query((p: { head: string }, sql) =>
  sql.updateTable('security_log_horizon').set({ head: p.head }),
)
const setSwept = query((p: { swept: string }, sql) =>
  sql.updateTable('security_log_horizon').set({ swept: p.swept }),
)
const hashAt = query((p: { id: number }, sql) =>
  sql.selectFrom('security_event').select('hash').where('id', '=', p.id),
)
const firstChained = query((_: object, sql) =>
  sql.selectFrom('security_event').select('previous').where('hash', 'is not', null).orderBy('id').limit(1),
)

/** Of the newest event, swept or not, or taken away; of the beginning where none has a hash. */
export const readSecurityHead = async (db: Db): Promise<string> => (await db.get(ends, {}))!.head

/** Keeps where the chain begins from now on: the events up to that one are about to be swept. */
export async function noteSwept(db: Db, last: number): Promise<void> {
  const swept = (await db.get(hashAt, { id: last }))?.hash
  if (swept) await db.run(setSwept, { swept })
}

/** For an import, which brings the log of another base. */
export async function noteEnds(db: Db): Promise<void> {
  const swept = (await db.get(firstChained, {}))?.previous ?? BEGINNING
  await db.run(setSwept, { swept })
  await db.run(setHead, { head: (await db.get(newest, {}))?.hash ?? swept })
  db.cache.delete(SECURITY_HEAD)
}

const CHAIN = { key: SECURITY_HEAD, read: readSecurityHead }

/** Appends an event, chained to the newest one. */
export async function appendRow(db: Db, row: SecurityRow): Promise<void> {
  let written: Promise<unknown> | undefined
  const link = (previous: string) => {
    const own = hashOf(previous, row)
    written = Promise.all([
      db.enqueue(insertRow, { ...row, previous, hash: own }),
      db.enqueue(setHead, { head: own }),
    ])
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

const hashesBefore = query((p: { before: number }, sql) =>
  sql.selectFrom('security_event').select('hash').where('id', '<', p.before).where('hash', 'is not', null),
)

export interface VerifiedSecurityLog {
  count: number
  /** Events from before the log was chained. */
  unchained: number
  head: string
  /** Whether some event, or the newest that was swept, has the hash that was asked for. */
  continues: boolean
  /** What does not fit first. */
  broken: string | null
  /** Where events continue another one than that before them; null where none does. */
  forks: SecurityForks | null
}

/** Events that continue one of the log, but not the one before them: so wrote processes which did not see each other's. */
export interface SecurityForks {
  count: number
  /** Ids of the first of them and of the last. */
  first: Ulid
  last: Ulid
  /** Events but the newest that none continues: whether others came behind them does not show. */
  loose: number
}

/** What the log is like from its first fork on. */
class Forks {
  private readonly hashes: Set<string>
  private readonly loose: Set<string>
  private found: Omit<SecurityForks, 'loose'> | null = null

  /** Before an event that does not continue the one before, whose hash is `head`. */
  static async before(db: Db, id: number, { swept, head }: { swept: string; head: string }): Promise<Forks> {
    const rows = await db.all(hashesBefore, { before: id })
    return new Forks([swept, ...rows.map(({ hash: own }) => own!)], head)
  }

  private constructor(hashes: Iterable<string>, head: string) {
    this.hashes = new Set(hashes)
    this.loose = new Set([head])
  }

  /** Whether an event before has the hash. */
  has(previous: string): boolean {
    return this.hashes.has(previous)
  }

  note(event_id: Ulid): void {
    const { count, first } = this.found ?? { count: 0, first: event_id }
    this.found = { count: count + 1, first, last: event_id }
  }

  append(previous: string, own: string): void {
    this.hashes.add(own)
    this.loose.delete(previous)
    this.loose.add(own)
  }

  get all(): SecurityForks | null {
    return this.found && { ...this.found, loose: this.loose.size - 1 }
  }
}

/**
 * Reads the whole security log, and stops at the first event that is not what was recorded, or continues none of the
 * log. Forks are counted, and the others looked at all the same.
 */
export async function verifySecurityLog(db: Db, asked?: string): Promise<VerifiedSecurityLog> {
  const { swept, head } = (await db.get(ends, {}))!
  const log = { count: 0, unchained: 0, head: swept, continues: swept === asked }
  let isChained = false
  let forks: Forks | undefined
  for (let rows = await db.all(behind, { after: 0 }); rows.length;) {
    for (const row of rows) {
      const { previous } = row
      const isElsewhere = previous !== null && previous !== log.head
      if (isElsewhere) forks ??= await Forks.before(db, row.id, { swept, head: log.head })
      const isFork = isElsewhere && forks!.has(previous)
      const reason = faultOf(row, isFork ? previous : log.head, isChained)
      if (reason) {
        const broken = `Event ${row.event_id} of the security log does not fit: ${reason}`
        return { ...log, broken, forks: forks?.all ?? null }
      }
      log.count++
      if (previous === null) log.unchained++
      else {
        if (isFork) forks!.note(row.event_id)
        forks?.append(previous, row.hash!)
        ;[isChained, log.head] = [true, row.hash!]
      }
      log.continues ||= row.hash === asked
    }
    rows = await db.all(behind, { after: rows.at(-1)!.id })
  }
  const broken = log.head === head ? null : 'Events are missing at the end of the security log'
  return { ...log, broken, forks: forks?.all ?? null }
}

function faultOf(
  row: SecurityRow & { previous: string | null; hash: string | null },
  head: string,
  isChained: boolean,
): string | null {
  const { previous } = row
  if (previous === null) return isChained || row.hash !== null ? 'its hash was taken away' : null
  if (row.hash !== hashOf(previous, row)) return 'it is not what was recorded'
  if (previous !== head) return 'one before it is missing or was put in'
  return null
}
