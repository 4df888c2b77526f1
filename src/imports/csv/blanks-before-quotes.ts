import { csvRecords } from '#src/imports/csv/csv-records.ts'
import type { Separation } from '#src/imports/csv/separator.ts'
import { TableShape } from '#src/imports/csv/table-shape.ts'
import { ImportFault } from '#src/imports/source.ts'

/**
 * Whether blanks before quotes are none of the cells (`TV, "a, b"`), by all rows of a text: one answer for the file,
 * wherever its first such cell is.
 */
export async function areBlanksStrays(
  text: () => AsyncIterable<string>,
  delimiter: string,
): Promise<boolean> {
  if (!(await hasBlankBeforeQuote(text(), delimiter))) return false
  // Behind a quote that nothing closes there are no rows any more: those before it decide.
  const { shape: trimmed, end } = await shapeOf(text(), { delimiter, ltrim: true })
  const { shape: plain } = await shapeOf(text(), { delimiter, ltrim: false }, end)
  return trimmed.isBetterThan(plain)
}

async function hasBlankBeforeQuote(text: AsyncIterable<string>, delimiter: string): Promise<boolean> {
  const sign = RegExp.escape(delimiter)
  const begun = `(?:[\r\n]|${sign})(?:(?!${sign})[^\\S\r\n])`
  const [whole, open] = [new RegExp(`${begun}+"`), new RegExp(`${begun}*$`)]
  let before = '\n'
  for await (const piece of text) {
    const seen = before + piece
    if (whole.test(seen)) return true
    before = open.exec(seen.slice(-1000))?.[0] ?? ''
  }
  return false
}

/** Of the rows before a line; `end`: that at which they cannot be read any further. */
async function shapeOf(
  text: AsyncIterable<string>,
  separation: Separation,
  before = Infinity,
): Promise<{ shape: TableShape; end?: number | undefined }> {
  const shape = new TableShape()
  try {
    for await (const { line, cells } of csvRecords(text, separation, '')) {
      if (line >= before) break
      shape.take(cells)
    }
    return { shape }
  } catch (error) {
    if (error instanceof ImportFault) return { shape, end: error.place.line }
    throw error
  }
}
