import { sameJson } from '#src/domain/same-json.ts'
import { call } from '#web/api/call.ts'
import { toFault, type Fault } from '#web/api/fault.ts'
import { searchItems } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { FIRST_PAGE, takeFirstRows } from '#web/data/first-rows.ts'
import { RowSlots } from '#web/data/row-slots.ts'
import { asSaved } from '#web/data/saved-rows.ts'
import { timeZone } from '#web/data/time-zone.ts'
import type { Question } from '#web/rules/table-state.ts'

/** An item as a table has it; descriptions, which may be long, are left to the item's page. */
export type Row = Omit<OutputOf<typeof searchItems>[number], 'description'>

/** For who wants more than twice that. */
const BIG_PAGE = 1000
/** The service leaves out no more. */
const MOST_SKIPPED = 1_000_000
/** Rows read above and below what is in sight, so that a hand that scrolls meets no empty ones. */
const AROUND = 120

/** Places from the first up to, not with, the last. */
interface Span {
  from: number
  before: number
}

interface Page {
  start: number
  limit: number
}

/** The rows of one search, read where the viewport is. Made and closed in an effect. */
export class RowSource {
  readonly question: Question
  /** Undefined until it is counted, which rows never wait for. */
  counted: number | undefined
  warnings: readonly string[] = []
  fault: Fault | undefined
  /** Ids of rows that are deleted: they stay in sight until somebody asks again. */
  gone: ReadonlySet<string> = new Set()
  /** Ids of rows that others have just changed. */
  lit: ReadonlySet<string> = new Set()
  /** Ids of items that match and have come since. */
  newcomers: ReadonlySet<string> = new Set()
  /** The newest event that was seen where the first rows were read. */
  private seen_event: string | undefined
  private readonly slots = new RowSlots<Row>()
  private sight: Span = { from: 0, before: 1 }
  private readonly wanted = new Set<Span>()
  private running = false
  private reading: Promise<void> | undefined
  private counting = false
  private version = 0
  private readonly listeners = new Set<() => void>()
  private readonly stop = new AbortController()

  constructor(question: Question) {
    this.question = question
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Another number after each change. */
  snapshot = (): number => this.version

  /** How many rows there are to scroll through, as far as that is known. */
  get total(): number {
    if (this.slots.hasEnd) return this.slots.length
    return Math.max(this.counted ?? 0, this.slots.length)
  }

  /** Nothing is known yet. */
  get isEmptyYet(): boolean {
    return !this.slots.hasEnd && !this.slots.length && !this.fault
  }

  /** All that match are read. */
  get ended(): boolean {
    return this.slots.isWhole
  }

  /** Those that are read, in their order, whatever is missing between them. */
  get rows(): readonly Row[] {
    return this.slots.rows
  }

  /** How many are read without a gap from the first one on. */
  get front(): number {
    return this.slots.front
  }

  /** Undefined where it is not read yet. */
  row(index: number): Row | undefined {
    return this.slots.at(index)
  }

  /** Those from one place to another, both included; undefined where not all are read yet. */
  readRows(first: number, last: number): readonly Row[] | undefined {
    const span = { from: first, before: last + 1 }
    return this.missing(span) ? undefined : this.slots.slice(span.from, span.before)
  }

  /** What is in sight now: it is read before anything else, and what it was before is left. */
  setViewport(from: number, before: number): void {
    this.sight = { from, before }
    this.go()
  }

  /** Resolves with all rows from one place to another, both included. */
  async read(first: number, last: number): Promise<readonly Row[]> {
    const span = { from: first, before: last + 1 }
    this.wanted.add(span)
    try {
      for (this.go(); this.missing(span); await this.turned()) {
        this.stop.signal.throwIfAborted()
        if (this.fault) throw this.fault
      }
    } finally {
      this.wanted.delete(span)
    }
    return this.slots.slice(span.from, span.before)
  }

  /** Resolves when the page that is being read is there: what was heard since may be missing in it. */
  async pageRead(): Promise<void> {
    await this.reading?.catch(() => undefined)
  }

  /** Tries again after a fault. */
  retry(): void {
    this.fault = undefined
    this.go()
    this.changed()
  }

  close(): void {
    this.stop.abort()
    this.changed()
  }

  /** A row as it has become; it stays where it is (nothing moves under the hands). */
  replace(row: Row): void {
    if (this.slots.replace(row)) this.changed()
  }

  /** Rows as others have left them, and ids of those that are not there any more. */
  renewed(rows: readonly Row[], gone: readonly string[]): void {
    const byId = new Map(rows.map((row) => [row.item_id, asSaved(row)]))
    const lit = new Set(this.lit)
    for (const row of this.slots.rows) {
      const now = { ...row, ...byId.get(row.item_id) }
      if (sameJson(now, row)) continue
      // A rename changes what is shown of an item, not the item.
      if (now.updated_at !== row.updated_at) lit.add(row.item_id)
      this.slots.replace(now)
    }
    this.lit = lit
    this.gone = new Set([...this.gone, ...gone].filter((id) => !byId.has(id)))
    this.changed()
  }

  /** Whether something happened after the first rows were read. What came before is among the rows, or counted with them. */
  isLater(event_id: string | undefined): boolean {
    return event_id === undefined || this.seen_event === undefined || event_id > this.seen_event
  }

  /** Items that match and are not among the rows. */
  arrived(item_ids: readonly string[]): void {
    const more = item_ids.filter((id) => !this.slots.has(id))
    if (!more.length) return
    this.newcomers = new Set([...this.newcomers, ...more])
    this.changed()
  }

  /** A new row before the one at this place; nothing where it is there already, as what was read may have it. */
  insert(at: number, row: Row): void {
    if (this.slots.has(row.item_id)) return
    this.slots.insert(at, row)
    this.newcomers = new Set([...this.newcomers].filter((id) => id !== row.item_id))
    if (this.counted !== undefined) this.counted++
    this.changed()
  }

  remove(item_ids: ReadonlySet<string>): void {
    const gone = this.slots.remove(item_ids)
    if (this.counted !== undefined) this.counted -= gone
    this.changed()
  }

  private async count(): Promise<void> {
    const { signal } = this.stop
    const { filter, as_of } = this.question
    this.counting = true
    try {
      const input = {
        ...(filter && { filter }),
        ...(as_of !== undefined && { as_of }),
        limit: 1,
        count: true,
        time_zone: timeZone(),
      }
      this.counted = (await call(searchItems, input, { signal })).total
      this.changed()
    } catch {
      // The rows say what is wrong.
    } finally {
      this.counting = false
    }
  }

  private go(): void {
    if (!this.running && !this.fault) void this.run()
  }

  private async run(): Promise<void> {
    this.running = true
    const { signal } = this.stop
    try {
      for (let page = this.nextPage(); page; page = this.nextPage())
        await (this.reading = this.readPage(page))
    } catch (error) {
      if (!signal.aborted) this.fault = toFault(error)
    } finally {
      this.running = false
      this.changed()
    }
  }

  /** What is in sight, then what is around it, then what somebody waits for. */
  private nextPage(): Page | undefined {
    const { from, before } = this.sight
    const around = { from: Math.max(0, from - AROUND), before: before + AROUND }
    for (const span of [this.sight, ...(this.slots.length ? [around] : []), ...this.wanted]) {
      const page = this.missing(span)
      if (page) return page
    }
    return undefined
  }

  /** The page that brings the first row of a span that is missing; undefined where none is. */
  private missing({ from, before }: Span): Page | undefined {
    const { slots } = this
    const most = before - from > 2 * FIRST_PAGE ? BIG_PAGE : FIRST_PAGE
    const hole = slots.hole(from, slots.hasEnd ? Math.min(before, slots.length) : before, most)
    if (!hole) return undefined
    // Nobody knows yet what is that far.
    if (hole.before === Infinity && this.counted === undefined) return { start: slots.length, limit: most }
    if (hole.before === Infinity && hole.first >= this.total)
      // More than were counted come one page after the other, as long as there are any.
      return slots.cursor(slots.length) === undefined
        ? undefined
        : { start: slots.length, limit: Math.min(most, FIRST_PAGE) }
    const end = hole.before === Infinity ? this.total : hole.before
    const spare = most - (Math.min(before, end) - hole.first)
    const start = Math.max(hole.from, Math.min(hole.first - Math.floor(spare / 2), end - most))
    return this.reachable({
      start,
      limit: hole.before === Infinity ? most : Math.min(most, hole.before - start),
    })
  }

  /** Farther than the service leaves out, rows come one page after the other. */
  private reachable({ start, limit }: Page): Page {
    if (start <= MOST_SKIPPED || this.slots.cursor(start) !== undefined) return { start, limit }
    let at = Math.max(MOST_SKIPPED, this.slots.length)
    while (at > MOST_SKIPPED && this.slots.cursor(at) === undefined) at--
    return { start: at, limit: BIG_PAGE }
  }

  private async readPage({ start, limit }: Page): Promise<void> {
    const { signal } = this.stop
    signal.throwIfAborted()
    const after = this.slots.cursor(start)
    const place = after === undefined ? (start > 0 ? { skip: start } : {}) : { after }
    const input = { ...this.question, limit, time_zone: timeZone(), ...place }
    const asked = takeFirstRows(input) ?? call(searchItems, input, { signal })
    const { data, next, warnings, event_id } = await asked
    signal.throwIfAborted()
    this.seen_event ??= event_id
    this.warnings = warnings
    // What was stays as it was.
    const rows = this.question.as_of === undefined ? data.map(toRow).map(asSaved) : data.map(toRow)
    if (rows.length || start <= this.slots.length) this.slots.fill(start, rows, next)
    else {
      // There are fewer than were counted.
      await this.count()
      this.slots.end(Math.min(this.counted ?? start, start))
    }
    if (this.slots.hasEnd) this.counted = this.slots.length
    // After the first rows, which it would compete with; few of them are their own count.
    else if (this.counted === undefined && !this.counting) void this.count()
    this.changed()
  }

  private turned(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        stop()
        resolve()
      })
    })
  }

  private changed(): void {
    this.version++
    for (const listener of this.listeners) listener()
  }
}

export function toRow({ description: _, ...row }: OutputOf<typeof searchItems>[number]): Row {
  return row
}
