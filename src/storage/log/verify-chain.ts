import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { BEGINNING, detailsHash, eventHash } from '#src/storage/log/audit-chain.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { withDetails } from '#src/storage/changes/event-details.ts'
import { SHOWN_COLUMNS } from '#src/storage/log/event-rows.ts'

/** Events that are read at once, but for what is long in them. */
const PAGE = 500

export interface VerifiedChain {
  count: number
  redacted: number
  /** Of the newest event; null in an empty log. */
  event_id: Ulid | null
  head: string
  /** Whether some event, or the empty beginning, has the hash that was asked for. */
  continues: boolean
  /** The first event that does not fit: what is before it does. */
  broken: BrokenEvent | null
}

export interface BrokenEvent {
  event_id: Ulid
  /** From 1. */
  position: number
  reason: string
}

const after = query((p: { after: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(SHOWN_COLUMNS)
    .where('event_id', '>', p.after)
    .orderBy('event_id')
    .limit(PAGE),
)

/** Reads the whole log, and stops at the first event that does not fit. */
export async function verifyChain(db: Db, head?: string): Promise<VerifiedChain> {
  await requireWholeLog(db)
  const chain = { count: 0, redacted: 0, event_id: null as Ulid | null, head: BEGINNING }
  let continues = head === undefined || head === BEGINNING
  /** By item, the first redacted event of which no later event has told yet. */
  const untold = new Map<string, BrokenEvent>()
  for (let rows = await db.all(after, { after: '' }); rows.length;) {
    for (const each of rows) {
      const row = await withDetails(db, each)
      const reason = faultOf(row, chain.head)
      const broken = { event_id: row.event_id, position: chain.count + 1, reason: reason ?? UNTOLD }
      if (reason !== null) return { ...chain, continues, broken }
      chain.count++
      chain.event_id = row.event_id
      chain.head = row.hash
      continues ||= row.hash === head
      if (row.redacted) {
        chain.redacted++
        if (!untold.has(row.item_id!)) untold.set(row.item_id!, broken)
      }
      if (row.event_type === 'audit_redacted') untold.delete(row.item_id!)
    }
    rows = await db.all(after, { after: rows.at(-1)!.event_id })
  }
  return { ...chain, continues, broken: untold.values().next().value ?? null }
}

const UNTOLD = 'its details are gone, and the log does not say that they were redacted'

type Row = Awaited<ReturnType<typeof rowsOf>>[number] & { details: string }
const rowsOf = (db: Db) => db.all(after, { after: '' })

/** The text too is the one that was written: other digits of a number may mean the same. */
function holds(details: string, { details_salt, details_hash }: Row): boolean {
  const value: unknown = JSON.parse(details)
  return JSON.stringify(value) === details && detailsHash(value, details_salt!) === details_hash
}

/** null: it fits. */
function faultOf(row: Row, previous: string): string | null {
  try {
    if (row.redacted === 1) {
      if (row.item_id === null || row.details !== '{}' || row.details_salt !== null)
        return 'it is marked as redacted and is not empty'
    } else if (row.redacted !== 0 || row.details_salt === null || !holds(row.details, row))
      return 'its details are not those that were recorded'
    if (row.client !== null && row.client !== JSON.stringify(JSON.parse(row.client)))
      return 'it has been changed'
    const told = { ...row, change_id: row.change_id ?? row.event_id }
    return eventHash(previous, told) === row.hash
      ? null
      : 'it has been changed, or does not follow the event before it'
  } catch {
    return 'it holds text that is not JSON'
  }
}
