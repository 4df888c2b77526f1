import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { BEGINNING, detailsHash, eventHash } from '#src/storage/log/audit-chain.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { withDetails } from '#src/storage/changes/event-details.ts'
import { SHOWN_COLUMNS } from '#src/storage/log/event-rows.ts'
import { readSealedAfter } from '#src/storage/log/seal-begin.ts'
import { stateFault } from '#src/storage/log/sealed-state.ts'
import { type BrokenEvent, ChangeCheck } from '#src/storage/log/verify-changes.ts'

/** Events that are read at once, but for what is long in them. */
const PAGE = 500

export interface VerifiedChain {
  count: number
  redacted: number
  /** Of the newest event; null in an empty log. */
  event_id: Ulid | null
  head: string
  /** Of the newest change (decision 47). */
  changes_head: string
  /** Events before the first one whose state the chain covers too. */
  unsealed: number
  /** Whether some event, or the empty beginning, has the hash that was asked for. */
  continues: boolean
  /** The first event that does not fit: what is before it does. */
  broken: BrokenEvent | null
}

const after = query((p: { after: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select([...SHOWN_COLUMNS, 'state'])
    .where('event_id', '>', p.after)
    .orderBy('event_id')
    .limit(PAGE),
)

/** Reads the whole log, and stops at the first event that does not fit. */
export async function verifyChain(db: Db, head?: string): Promise<VerifiedChain> {
  await requireWholeLog(db)
  const chain = {
    count: 0,
    redacted: 0,
    unsealed: 0,
    event_id: null as Ulid | null,
    head: BEGINNING,
    changes_head: BEGINNING,
  }
  const seal = new SealCheck(await readSealedAfter(db))
  const changes = new ChangeCheck(db)
  let continues = head === undefined || head === BEGINNING
  const redactions = new RedactionCheck()
  for (let rows = await db.all(after, { after: '' }); rows.length;) {
    for (const each of rows) {
      const row = await withDetails(db, each)
      const reason = faultOf(row, chain.head) ?? seal.faultOf(row, chain.head)
      const here = { event_id: row.event_id, position: chain.count + 1 }
      const broken = reason === null ? await changes.take(row) : { ...here, reason }
      if (broken) return { ...chain, unsealed: seal.unsealed, changes_head: changes.head, continues, broken }
      chain.count++
      chain.event_id = row.event_id
      chain.head = row.hash
      continues ||= row.hash === head
      if (row.redacted) chain.redacted++
      redactions.take(row, here)
    }
    rows = await db.all(after, { after: rows.at(-1)!.event_id })
  }
  const atEnd = await changes.end()
  return {
    ...chain,
    changes_head: changes.head,
    unsealed: seal.unsealed,
    continues,
    broken: redactions.unreported ?? atEnd,
  }
}

/** A redacted event has a later one that reports it. */
class RedactionCheck {
  /** By item, the first redacted event that none has reported yet. */
  private readonly open = new Map<string, BrokenEvent>()

  take({ item_id, redacted, event_type }: Row, here: Omit<BrokenEvent, 'reason'>): void {
    if (redacted && !this.open.has(item_id!)) this.open.set(item_id!, { ...here, reason: UNREPORTED })
    if (event_type === 'audit_redacted') this.open.delete(item_id!)
  }

  get unreported(): BrokenEvent | undefined {
    return this.open.values().next().value
  }
}

/** What undo keeps alongside events, from where the log is sealed on. */
class SealCheck {
  unsealed = 0
  private begun = false
  private readonly after: string

  constructor(after: string) {
    this.after = after
  }

  faultOf({ state, details_salt, redacted }: Row, previous: string): string | null {
    const begins = previous === this.after
    this.begun ||= begins
    if (!this.begun) {
      this.unsealed++
      return null
    }
    if (redacted) return state === null ? null : 'it is marked as redacted and has a state'
    return stateFault({ state, salt: details_salt! }, begins)
  }
}

const UNREPORTED = 'its details are gone, and the log does not say that they were redacted'

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
