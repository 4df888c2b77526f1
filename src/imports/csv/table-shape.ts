import { createHash } from 'node:crypto'

/** What the rows of a text are, read one way, to be held against another. */
export class TableShape {
  private rows = 0
  private first = 1
  private second = 0
  private readonly byWidth = new Map<number, number>()
  private readonly hash = createHash('sha256')

  take(cells: readonly string[]): void {
    if (!this.rows) this.first = cells.length
    else if (this.rows === 1) this.second = cells.length
    this.rows++
    this.byWidth.set(cells.length, (this.byWidth.get(cells.length) ?? 0) + 1)
    this.hash.update(`${JSON.stringify(cells.map((cell) => cell.trimStart()))}\n`)
  }

  /** How many columns rows have, less where some have others. */
  get columns(): number {
    const columns = this.isTitled ? this.second : this.first
    return (columns * (this.byWidth.get(columns) ?? 0)) / Math.max(1, this.rows)
  }

  /** Whether blanks before quotes, which the other way does not take off, are none of the cells: quotes begin cells so. */
  isBetterThan(plain: TableShape): boolean {
    return this.columns >= plain.columns && this.digest !== plain.digest
  }

  /** A title is above them: lists of one column hardly have three elements each. */
  private get isTitled(): boolean {
    return (
      this.first === 1 &&
      this.rows > 2 &&
      this.second >= 3 &&
      this.byWidth.size === 2 &&
      this.byWidth.get(1) === 1
    )
  }

  /** Of the cells without the blanks that they begin with. */
  private get digest(): string {
    return this.hash.copy().digest('hex')
  }
}
