import { csvRecords } from '#src/imports/csv/csv-records.ts'
import type { Separation } from '#src/imports/csv/separator.ts'
import { ImportFault } from '#src/imports/source.ts'

/**
 * Whether quotes inside quotes have a backslash before them, as MySQL and many scripts write them, and are not doubled:
 * where only that leaves no cell with its quotes as they are written.
 */
export async function areQuotesEscaped(
  text: () => AsyncIterable<string>,
  separation: Separation,
): Promise<boolean> {
  if (!(await hasEscapedQuote(text()))) return false
  if (!(await hasOpenQuote(text(), separation))) return false
  return !(await hasOpenQuote(text(), { ...separation, escape: '\\' }))
}

async function hasEscapedQuote(text: AsyncIterable<string>): Promise<boolean> {
  let before = ''
  for await (const piece of text) {
    if ((before + piece).includes('\\"')) return true
    before = piece.slice(-1)
  }
  return false
}

/** Whether a cell is left as it is written, since its quotes are not understood, or one is not closed. */
async function hasOpenQuote(text: AsyncIterable<string>, separation: Separation): Promise<boolean> {
  // What is understood has none of these.
  const written = separation.escape ? '""' : '\\"'
  try {
    for await (const { cells } of csvRecords(text, separation, ''))
      if (cells.some((cell) => cell.startsWith('"') && cell.includes(written))) return true
    return false
  } catch (error) {
    if (error instanceof ImportFault) return true
    throw error
  }
}
