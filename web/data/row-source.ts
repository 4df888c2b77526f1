import { call } from '#web/api/call.ts'
import { toFault, type Fault } from '#web/api/fault.ts'
import { searchItems } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { FIRST_PAGE, takeFirstRows } from '#web/data/first-rows.ts'
import { timeZone } from '#web/data/time-zone.ts'
import type { Question } from '#web/rules/table-state.ts'

/** An item as a table has it; descriptions, which may be long, are left to the item's page. */
export type Row = Omit<OutputOf<typeof searchItems>[number], 'description'>

/** For who looks far ahead. */
const BIG_PAGE = 1000

/** The rows of one search, fetched as far as somebody looks. Made and closed in an effect. */
export class RowSource {
  readonly question: Question
  rows: Row[] = []
  /** Undefined until it is counted, which rows never wait for. */
  counted: number | undefined
  warnings: readonly string[] = []
  fault: Fault | undefined
  ended = false
  /** Ids of rows that are deleted: they stay in sight until somebody asks again. */
  gone: ReadonlySet<string> = new Set()
  /** Ids of rows that others have just changed. */
  lit: ReadonlySet<string> = new Set()
  /** Ids of items that match and have come since. */
  newcomers: ReadonlySet<string> = new Set()
  private next: string | undefined
  private wanted = 0
  private running = false
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
    if (this.ended) return this.rows.length
    return Math.max(this.counted ?? 0, this.rows.length)
  }

  /** Nothing is known yet. */
  get isEmptyYet(): boolean {
    return !this.ended && !this.rows.length && !this.fault
  }

  /** Makes sure that the rows up to this one come. */
  want(index: number): void {
    this.wanted = Math.max(this.wanted, index + 1)
    if (this.running || this.ended || this.fault) return
    void this.run()
  }

  /** Tries again after a fault. */
  retry(): void {
    this.fault = undefined
    this.want(this.wanted - 1)
    this.changed()
  }

  close(): void {
    this.stop.abort()
  }

  /** A row as it has become; it stays where it is (nothing moves under the hands). */
  replace(row: Row): void {
    const at = this.rows.findIndex(({ item_id }) => item_id === row.item_id)
    if (at < 0) return
    this.rows = this.rows.with(at, row)
    this.changed()
  }

  /** Rows as others have left them, and ids of those that are not there any more. */
  renewed(rows: readonly Row[], gone: readonly string[]): void {
    const byId = new Map(rows.map((row) => [row.item_id, row]))
    const lit = new Set(this.lit)
    this.rows = this.rows.map((row) => {
      const now = byId.get(row.item_id)
      if (!now || now.updated_at === row.updated_at) return row
      lit.add(row.item_id)
      return now
    })
    this.lit = lit
    this.gone = new Set([...this.gone, ...gone].filter((id) => !byId.has(id)))
    this.changed()
  }

  /** Items that match and are not among the rows. */
  arrived(item_ids: readonly string[]): void {
    const known = new Set(this.rows.map(({ item_id }) => item_id))
    const more = item_ids.filter((id) => !known.has(id))
    if (!more.length) return
    this.newcomers = new Set([...this.newcomers, ...more])
    this.changed()
  }

  /** A new row before the one at this place. */
  insert(at: number, row: Row): void {
    this.rows = this.rows.toSpliced(at, 0, row)
    this.newcomers = new Set([...this.newcomers].filter((id) => id !== row.item_id))
    if (this.counted !== undefined) this.counted++
    this.changed()
  }

  remove(item_ids: ReadonlySet<string>): void {
    const left = this.rows.filter(({ item_id }) => !item_ids.has(item_id))
    if (this.counted !== undefined) this.counted -= this.rows.length - left.length
    this.rows = left
    this.changed()
  }

  /** Resolves with all rows that match, however many. */
  async all(): Promise<readonly Row[]> {
    this.want(Number.MAX_SAFE_INTEGER - 1)
    while (!this.ended && !this.fault) await new Promise((resolve) => setTimeout(resolve, 20))
    if (this.fault) throw this.fault
    return this.rows
  }

  private async count(): Promise<void> {
    const { signal } = this.stop
    const { filter } = this.question
    this.counting = true
    try {
      const input = { ...(filter && { filter }), limit: 1, count: true, time_zone: timeZone() }
      this.counted = (await call(searchItems, input, { signal })).total
      this.changed()
    } catch {
      // The rows say what is wrong.
    }
  }

  private async run(): Promise<void> {
    this.running = true
    const { signal } = this.stop
    try {
      while (!this.ended && this.rows.length < this.wanted) {
        const limit = this.wanted - this.rows.length > 2 * FIRST_PAGE ? BIG_PAGE : FIRST_PAGE
        const input = {
          ...this.question,
          limit,
          time_zone: timeZone(),
          ...(this.next !== undefined && { after: this.next }),
        }
        const { data, next, warnings } = await (takeFirstRows(input) ?? call(searchItems, input, { signal }))
        signal.throwIfAborted()
        const known = new Set(this.rows.slice(-BIG_PAGE).map(({ item_id }) => item_id))
        // In place: a copy for each page would make far jumps quadratic. `snapshot` says that there is more.
        for (const item of data) if (!known.has(item.item_id)) this.rows.push(toRow(item))
        this.warnings = warnings
        this.next = next
        this.ended = next === undefined
        // After the first rows, which it would compete with; few of them are their own count.
        if (this.counted === undefined && !this.ended && !this.counting) void this.count()
        this.changed()
      }
    } catch (error) {
      if (!signal.aborted) {
        this.fault = toFault(error)
        this.changed()
      }
    } finally {
      this.running = false
    }
  }

  private changed(): void {
    this.version++
    for (const listener of this.listeners) listener()
  }
}

export function toRow({ description: _, ...row }: OutputOf<typeof searchItems>[number]): Row {
  return row
}
