import { ItemEdits } from '#web/data/item-edits.ts'
import type { Row, RowSource } from '#web/data/row-source.ts'

/** What has left a column or come into it since the heads were counted. */
export interface Drift {
  count: number
  sum: number
}

interface Rules {
  columnOf: (row: Row) => string
  /** What an item adds to the sum of its column. */
  weightOf: (row: Row) => number
}

const NO_DRIFT: Drift = { count: 0, sum: 0 }

/**
 * The columns of a board, each with its own rows. An item whose value becomes another, by whatever hand, goes to the
 * column where it belongs now; refused or taken back it returns to the place that it had.
 */
export class BoardStore {
  readonly edits: ItemEdits
  rules: Rules
  private readonly sources = new Map<string, RowSource>()
  private readonly reveals = new Map<string, (index: number) => void>()
  private readonly adders = new Map<string, () => void>()
  private readonly left = new Map<string, { column: string; index: number }>()
  private drifts = new Map<string, Drift>()
  private readonly listeners = new Set<() => void>()
  private isSettling = false
  private version = 0
  private saving = 0

  constructor(rules: Rules) {
    this.rules = rules
    this.edits = new ItemEdits((row) => {
      for (const source of this.sources.values()) source.replace(row)
    })
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Another number after each change of what is where. */
  snapshot = (): number => this.version

  /** Called in an effect; the rows of one column for as long as it is shown. */
  show(column: string, source: RowSource): () => void {
    this.sources.set(column, source)
    const stops = [source.subscribe(this.settle), this.edits.subscribe(this.settle)]
    this.settle()
    return () => {
      for (const stop of stops) stop()
      if (this.sources.get(column) === source) this.sources.delete(column)
    }
  }

  /** How the list of a column brings a card into sight and gives it the focus. */
  listed(column: string, reveal: (index: number) => void): () => void {
    this.reveals.set(column, reveal)
    return () => this.reveals.delete(column)
  }

  reveal(column: string, index: number): void {
    this.reveals.get(column)?.(index)
  }

  /** How a column opens its box for a new card. */
  adds(column: string, open: () => void): () => void {
    this.adders.set(column, open)
    return () => this.adders.delete(column)
  }

  add(column: string): void {
    this.adders.get(column)?.()
  }

  source(column: string): RowSource | undefined {
    return this.sources.get(column)
  }

  driftOf(column: string): Drift {
    return this.drifts.get(column) ?? NO_DRIFT
  }

  /** Something is being saved: what is counted now is not what is seen. */
  get isBusy(): boolean {
    return this.saving > 0
  }

  /** Holds for as long as this is being saved. */
  async while<T>(saving: Promise<T>): Promise<T> {
    this.saving++
    try {
      return await saving
    } finally {
      this.saving--
    }
  }

  /** A new item of a column. */
  made(column: string, row: Row): void {
    const source = this.sources.get(column)
    if (source?.rows.every(({ item_id }) => item_id !== row.item_id)) source.insert(0, row)
    this.drift(column, { count: 1, sum: this.rules.weightOf(row) })
    this.changed()
  }

  /** Something is not where it was when the heads were counted. */
  get hasDrifted(): boolean {
    return this.drifts.size > 0
  }

  /** The heads have been counted again. */
  counted(): void {
    if (!this.drifts.size) return
    this.drifts = new Map()
    this.changed()
  }

  /** The item as it is shown; undefined where it is not read. */
  find(item_id: string): Row | undefined {
    for (const source of this.sources.values()) {
      const row = source.rows.find((each) => each.item_id === item_id)
      if (row) return this.edits.shown(row)
    }
    return undefined
  }

  private readonly settle = (): void => {
    if (this.isSettling) return
    this.isSettling = true
    let moved = 0
    for (const [column, source] of this.sources) {
      const gone = source.rows.filter(({ item_id }) => source.gone.has(item_id))
      if (gone.length) source.remove(new Set(gone.map(({ item_id }) => item_id)))
      const strays = source.rows.filter((row) => this.rules.columnOf(this.edits.shown(row)) !== column)
      if (strays.length) this.take(strays, column, source)
      moved += gone.length + strays.length
    }
    this.isSettling = false
    if (moved) this.changed()
  }

  private take(rows: readonly Row[], column: string, source: RowSource): void {
    const ids = new Set(rows.map(({ item_id }) => item_id))
    const before = new Map(rows.map(({ item_id }) => [item_id, this.left.get(item_id)]))
    for (let index = 0; index < source.total; index++) {
      const id = source.row(index)?.item_id
      if (id !== undefined && ids.has(id)) this.left.set(id, { column, index })
    }
    source.remove(ids)
    for (const row of rows) {
      const to = this.rules.columnOf(this.edits.shown(row))
      const weight = this.rules.weightOf(row)
      this.drift(column, { count: -1, sum: -weight })
      this.drift(to, { count: 1, sum: weight })
      const target = this.sources.get(to)
      if (!target || target.rows.some(({ item_id }) => item_id === row.item_id)) continue
      const was = before.get(row.item_id)
      target.insert(was?.column === to ? Math.min(was.index, target.total) : 0, row)
    }
  }

  private drift(column: string, by: Drift): void {
    const { count, sum } = this.driftOf(column)
    this.drifts.set(column, { count: count + by.count, sum: sum + by.sum })
  }

  private changed(): void {
    this.version++
    for (const listener of this.listeners) listener()
  }
}
