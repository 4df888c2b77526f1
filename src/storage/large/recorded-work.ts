import { emptyFacts, noteFacts, tellable, type TellableFacts } from '#src/domain/change-facts.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { CompiledSql, Db } from '#src/sql/query.ts'
import { RecordingDb } from '#src/storage/large/recording-db.ts'
import {
  draftUnnumbered,
  IN_A_ROW,
  packEvents,
  type UnnumberedEvents,
} from '#src/storage/large/audit-drafts.ts'
import { leavingAmong } from '#src/storage/large/leaving-items.ts'
import {
  type AuditEvent,
  authorOf,
  type EventContext,
  factsOf,
  unnumberedText,
} from '#src/storage/log/audit-log.ts'

/** Characters that are recorded of a change; what comes after them is worked out in its transaction. */
export const MAX_RECORDED = 96 * 2 ** 20

/**
 * What a part of a change is to write, worked out beside the writer: its statements with their values, its events
 * without their ids, in lines. The texts are long: they are taken out one after the other, and never escaped.
 */
export interface RecordedWork {
  lines: string[]
  facts: TellableFacts
  /** Statements, and rows of events after them. */
  statements: number
  /** So many statements at the beginning write rows of its items alone: they may be written ahead. */
  early: number
  /** Events in each of the rows. */
  events: number[]
  /** Deleted items (row ids) that it brings back by what the indexes still have of them: it holds while they have. */
  rests_on: number[]
}

/** More was to be recorded than may be. */
class TooLong extends Error {}
export const isTooLong = (error: unknown): boolean => error instanceof TooLong

/** Records work that is done on `db`. */
export class WorkRecorder {
  readonly db: Db
  private readonly early: string[] = []
  private readonly late: string[] = []
  private readonly rows: UnnumberedEvents[] = []
  private readonly facts = emptyFacts()
  private readonly restsOn: number[] = []
  private readonly ofItems = new Set<Ulid>()
  private readonly most: number
  /** Characters. */
  size = 0

  /**
   * With `most`, what is longer ends the work: `isTooLong` of the error that it throws is true then. With `ahead`, what
   * is written of its items goes before what is not, so that it can be written ahead.
   */
  constructor(db: Db, { most = Infinity, ahead = false } = {}) {
    this.most = most
    const first = ahead && db.dialect.writesAhead
    this.db = new RecordingDb(db, ({ sql, parameters }) => {
      const line = JSON.stringify([sql, ...parameters.map(toJson)])
      const lines = first && writesItems(sql) ? this.early : this.late
      lines.push(line)
      this.grow(line.length)
    })
  }

  private grow(by: number): void {
    this.size += by
    if (this.size > this.most) throw new TooLong()
  }

  take(events: readonly AuditEvent[], now: Date, part: number | undefined): void {
    for (let at = 0; at < events.length; at += IN_A_ROW) {
      const some = events.slice(at, at + IN_A_ROW)
      for (const event of some) {
        noteFacts(this.facts, factsOf(event))
        if (event.item_id !== undefined) this.ofItems.add(event.item_id)
      }
      const packed = packEvents(some.map((event) => unnumberedText(event, now, part)))
      this.rows.push({ count: some.length, packed })
      this.grow(packed.length)
    }
  }

  restOn(leaving: readonly number[]): void {
    for (const id of leaving) this.restsOn.push(id)
  }

  /** Those that its events are of. */
  get items(): Ulid[] {
    return [...this.ofItems]
  }

  get work(): RecordedWork {
    const { early, late } = this
    return {
      lines: [...early, ...late, ...this.rows.map(({ packed }) => packed)],
      facts: tellable(this.facts),
      statements: early.length + late.length,
      early: early.length,
      events: this.rows.map(({ count }) => count),
      rests_on: this.restsOn,
    }
  }
}

/** Whether the indexes still have what recorded work rests on. */
export async function restsOnWhatIs(db: Db, { rests_on }: Pick<RecordedWork, 'rests_on'>): Promise<boolean> {
  return !rests_on.length || (await leavingAmong(db, rests_on)).whole.length === rests_on.length
}

/** One after the other: they may be long. */
export function* linesOf(text: string): Generator<string, void> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    yield text.slice(at, end < 0 ? text.length : end)
    at = end < 0 ? text.length : end + 1
  }
}

/**
 * Writes what was recorded, as a part of the change of `context`, but for what has been written ahead of the `part`
 * with that place in the plan.
 */
export async function writeRecorded(
  db: Db,
  { caller, change, newId }: EventContext,
  { facts, statements, early, events }: Omit<RecordedWork, 'lines'>,
  lines: Iterator<string, void>,
  part = 0,
): Promise<void> {
  const next = () => lines.next().value as string
  const written = db.ahead?.parts.delete(part) ? early : 0
  for (let i = 0; i < statements; i++) {
    const line = next()
    if (i >= written) await db.enqueueCompiled(statementIn(line))
  }
  if (!events.length) return
  const author = authorOf(caller, change)
  let last: Ulid | undefined
  for (const count of events) last = await draftUnnumbered(db, author, { count, packed: next() }, newId)
  change.drafted = true
  change.noteMany(facts, last!)
}

/** Writes the rows of items that were recorded of a part, before it is the turn of its change. */
export async function writeEarly(
  db: Db,
  { early, statements, events }: Pick<RecordedWork, 'early' | 'statements' | 'events'>,
  lines: Iterator<string, void>,
): Promise<void> {
  for (let i = 0; i < early; i++) await db.enqueueCompiled(statementIn(lines.next().value as string))
  for (let i = statements - early + events.length; i > 0; i--) lines.next()
}

/** Passes by what was recorded of a part. */
export function skipRecorded(
  { statements, events }: Pick<RecordedWork, 'statements' | 'events'>,
  lines: Iterator<string, void>,
): void {
  for (let i = statements + events.length; i > 0; i--) lines.next()
}

/**
 * Whether a statement changes rows of items and nothing else. What has an order of its own, or what others take away
 * without looking at items (words and texts that wait for their index), is none of these.
 */
const writesItems = (sql: string): boolean =>
  /^(?:insert into|update|delete from) "(?:item|purged_item|item_tag|item_text|field_value)"/.test(sql)

function statementIn(line: string): CompiledSql {
  const [sql, ...parameters] = JSON.parse(line) as [string, ...RecordedNotes[]]
  return { sql, parameters: parameters.map(fromJson) }
}

/** Whole numbers and marks of the value index are no JSON; objects are no parameters. */
type RecordedNotes = string | number | null | { whole: string } | { bytes: string }

function toJson(value: unknown): RecordedNotes {
  if (typeof value === 'bigint') return { whole: String(value) }
  return Buffer.isBuffer(value) ? { bytes: value.toString('hex') } : (value as RecordedNotes)
}

function fromJson(told: RecordedNotes): unknown {
  if (typeof told !== 'object' || told === null) return told
  return 'whole' in told ? BigInt(told.whole) : Buffer.from(told.bytes, 'hex')
}
