/** What has a place in a table. */
interface Placed {
  item_id: string
}

/** Places without rows: from the first up to, not with, the last; without end where nobody knows how many there are. */
export interface Hole {
  from: number
  before: number
}

/** Rows by their place, read in any order: between those that are there, places are empty. */
export class RowSlots<Row extends Placed> {
  /** The last row is known: there are as many places as rows. */
  hasEnd = false
  private slots: (Row | undefined)[] = []
  private readonly places = new Map<string, number>()
  /** What the service calls the page that begins at a place. */
  private cursors = new Map<number, string>()
  private count = 0
  /** A row that moved meanwhile stands where it was seen and where it has come to. */
  private hasTwins = false
  private dense: readonly Row[] | undefined

  /** Places up to the last row that is there. */
  get length(): number {
    return this.slots.length
  }

  get isWhole(): boolean {
    return this.hasEnd && this.count === this.slots.length
  }

  /** How many are there without a gap from the first one on. */
  get front(): number {
    if (this.count === this.slots.length) return this.count
    return this.slots.indexOf(undefined)
  }

  /** Those that are there, in their order. */
  get rows(): readonly Row[] {
    return (this.dense ??= this.slice(0, this.slots.length))
  }

  at(index: number): Row | undefined {
    return this.slots[index]
  }

  has(item_id: string): boolean {
    return this.places.has(item_id)
  }

  /** Those that are there from a place up to, not with, another. */
  slice(from: number, before: number): Row[] {
    return this.slots.slice(from, before).filter((row) => row !== undefined)
  }

  /** What continues at this place, where a page has ended. */
  cursor(index: number): string | undefined {
    return this.cursors.get(index)
  }

  /** The hole with the first empty place of these, reported as far as `reach` to either side. */
  hole(from: number, before: number, reach: number): (Hole & { first: number }) | undefined {
    let first = from
    while (first < before && this.slots[first]) first++
    if (first >= before) return undefined
    const hole = { first, from: first, before: first + 1 }
    while (hole.from > 0 && !this.slots[hole.from - 1] && first - hole.from < reach) hole.from--
    while (hole.before < this.slots.length && !this.slots[hole.before] && hole.before - first < reach)
      hole.before++
    if (hole.before >= this.slots.length && !this.slots[hole.before - 1]) hole.before = Infinity
    return hole
  }

  /** A page that was read from this place on; without a cursor it was the last one. */
  fill(start: number, page: readonly Row[], next: string | undefined): void {
    const isLast = start + page.length >= this.slots.length || next === undefined
    const isElsewhere = ({ item_id }: Row) => {
      const at = this.places.get(item_id)
      return at !== undefined && (at < start || at >= start + page.length)
    }
    // At the end there is room: what is known keeps its place. Elsewhere places would be left without a row.
    const placed = isLast ? page.filter((row) => !isElsewhere(row)) : page
    if (!isLast && page.some(isElsewhere)) this.hasTwins = true
    const after = start + placed.length
    while (this.slots.length < after) this.slots.push(undefined)
    for (const [i, row] of placed.entries()) this.set(start + i, row)
    if (next === undefined) this.end(after)
    else this.cursors.set(after, next)
    this.dense = undefined
  }

  /** There are no rows from this place on. */
  end(length: number): void {
    for (const row of this.slots.slice(length)) if (row) this.forget(row)
    this.slots.length = Math.min(this.slots.length, length)
    while (this.slots.length < length) this.slots.push(undefined)
    this.hasEnd = true
    this.dense = undefined
  }

  replace(row: Row): boolean {
    const at = this.places.get(row.item_id)
    if (at === undefined) return false
    this.slots[at] = row
    if (this.hasTwins) this.slots = this.slots.map((each) => (each?.item_id === row.item_id ? row : each))
    this.dense = undefined
    return true
  }

  insert(at: number, row: Row): void {
    this.slots = this.slots.toSpliced(at, 0, row)
    this.cursors = new Map([...this.cursors].map(([place, each]) => [place < at ? place : place + 1, each]))
    this.renumber()
  }

  /** How many places are gone with them. */
  remove(item_ids: ReadonlySet<string>): number {
    const left: (Row | undefined)[] = []
    const cursors = new Map<number, string>()
    for (let i = 0; i <= this.slots.length; i++) {
      const cursor = this.cursors.get(i)
      if (cursor !== undefined) cursors.set(left.length, cursor)
      const row = this.slots[i]
      if (i < this.slots.length && !(row && item_ids.has(row.item_id))) left.push(row)
    }
    const gone = this.slots.length - left.length
    this.slots = left
    this.cursors = cursors
    this.renumber()
    return gone
  }

  private set(index: number, row: Row): void {
    const before = this.slots[index]
    if (before) this.forget(before)
    this.slots[index] = row
    this.places.set(row.item_id, index)
    this.count++
  }

  private forget({ item_id }: Row): void {
    this.places.delete(item_id)
    this.count--
  }

  private renumber(): void {
    this.places.clear()
    this.count = 0
    this.dense = undefined
    for (const [i, row] of this.slots.entries()) {
      if (!row) continue
      this.places.set(row.item_id, i)
      this.count++
    }
  }
}
