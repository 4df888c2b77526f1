import type { LeftOut } from '#src/imports/source.ts'

const MOST_ADDRESSES = 100_000
const LONGEST_ADDRESS = 2000
const MOST_MERGED = 10_000
const SHOWN = 3
/** A text that says itself where its link leads. */
const ADDRESS = /:\/\/|@|^www\./i

/** What a sheet has that its rows have not: cells that are merged, and where links lead. Both come behind the rows. */
export class SheetRemarks {
  /** Cells whose texts are addresses. */
  private readonly addresses = new Set<string>()
  private readonly merged: string[] = []
  private links = 0

  takeText(cell: string, text: string): void {
    if (text.length <= LONGEST_ADDRESS && ADDRESS.test(text) && this.addresses.size < MOST_ADDRESSES)
      this.addresses.add(cell)
  }

  takeMerged(range: string): void {
    if (this.merged.length < MOST_MERGED) this.merged.push(range)
  }

  takeLink(range: string): void {
    const [first = ''] = range.split(':')
    if (!this.addresses.has(first)) this.links++
  }

  /** `header_row`: what is merged down to it is a title, or headings. */
  of(sheet: string, header_row: number): LeftOut[] {
    const merged = this.merged.filter((range) => Number(/\d+$/.exec(range)?.[0]) > header_row)
    const { links } = this
    const found: LeftOut[] = []
    if (merged.length) {
      const named = merged.slice(0, SHOWN).join(', ') + (merged.length > SHOWN ? ' …' : '')
      const reason = `only the first cell of each has its value (${named}): unmerge them and fill the others, if their rows are to have it`
      found.push({ is: 'left_out', name: `merged cells of ${sheet}`, reason })
    }
    if (links) {
      const reason = `cells are what they show: give the addresses (${links}) a column of their own, if they are to be kept`
      found.push({ is: 'left_out', name: `addresses of links of ${sheet}`, reason })
    }
    return found
  }
}
