import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { MAX_ROW } from '#src/imports/bounds.ts'
import { CSV, type Separation } from '#src/imports/csv/separator.ts'
import { ImportFault } from '#src/imports/source.ts'

interface Parsed {
  record: string[]
  info: { lines: number }
}

interface CsvRecord {
  /** At which it begins, from 1. */
  line: number
  cells: string[]
}

/** The records of a text, which comes in pieces; `file` names it in faults. @throws ImportFault */
export async function* csvRecords(
  text: AsyncIterable<string>,
  separation: Separation,
  file: string,
): AsyncGenerator<CsvRecord> {
  const parser = parse({ ...CSV, ...separation, info: true, max_record_size: MAX_ROW })
  // What goes wrong with the one ends the other.
  pipeline(Readable.from(text), parser, () => {})
  const lines = new LineCount()
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>)
      yield { line: lines.startOf(record, info.lines), cells: record }
  } catch (error) {
    throw inWords(error, file, lines.next)
  }
}

/** At which line of the file a row begins: the parser counts a CRLF inside quotes as two. */
class LineCount {
  next = 1
  private doubled = 0

  startOf(record: readonly string[], counted: number): number {
    let breaks = 0
    for (const cell of record) {
      if (!cell.includes('\n') && !cell.includes('\r')) continue
      const pairs = cell.split('\r\n').length - 1
      breaks += cell.split(/[\r\n]/).length - 1 - pairs
      this.doubled += pairs
    }
    const end = counted - this.doubled
    this.next = end + 1
    return end - breaks
  }
}

function inWords(error: unknown, file: string, line: number): unknown {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new ImportFault(
      'the row is longer than 8 MiB',
      { file, line },
      'Look for a quote there that is not closed',
    )
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return new ImportFault('a quote is not closed', { file, line }, 'Close it, or double it inside a text')
  return code?.startsWith('CSV_') ? new ImportFault(message, { file, line }) : error
}
