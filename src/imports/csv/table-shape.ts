import { createHash } from 'node:crypto'
import { leastHeadings, MOST_TITLES } from '#src/imports/heading-row.ts'

/** What the rows of a text are, read one way, to be held against another. */
export class TableShape {
  private rows = 0
  /** Of the first rows. */
  private readonly widths: number[] = []
  private readonly byWidth = new Map<number, number>()
  private readonly hash = createHash('sha256')

  take(cells: readonly string[]): void {
    if (this.widths.length <= MOST_TITLES) this.widths.push(cells.length)
    this.rows++
    this.byWidth.set(cells.length, (this.byWidth.get(cells.length) ?? 0) + 1)
    this.hash.update(`${JSON.stringify(cells.map((cell) => cell.trimStart()))}\n`)
  }

  /** How many columns rows have, less where some have others. */
  get columns(): number {
    return this.shareOf(this.belowTitles ?? this.width)
  }

  /** The same, if the first row has the headings. */
  get untitledColumns(): number {
    return this.shareOf(this.width)
  }

  private get width(): number {
    return this.widths[0] ?? 1
  }

  private shareOf(columns: number): number {
    return (columns * (this.byWidth.get(columns) ?? 0)) / Math.max(1, this.rows)
  }

  /** Whether blanks before quotes, which the other way does not take off, are none of the cells: quotes begin cells so. */
  isBetterThan(plain: TableShape): boolean {
    return this.columns >= plain.columns && this.digest !== plain.digest
  }

  /** Where titles are above them: lists of one column hardly have three elements each. */
  private get belowTitles(): number | undefined {
    const at = this.widths.findIndex((width) => width > 2)
    if (at <= 0 || this.rows - at < 2) return undefined
    const width = this.widths[at]!
    const isWider = width >= leastHeadings(Math.max(...this.widths.slice(0, at)))
    return isWider && this.byWidth.get(width) === this.rows - at ? width : undefined
  }

  /** Of the cells without the blanks that they begin with. */
  private get digest(): string {
    return this.hash.copy().digest('hex')
  }
}
