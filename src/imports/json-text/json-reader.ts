import type { Problem, ServiceError } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { MAX_ROW } from '#src/imports/bounds.ts'
import { decoded, encodingOf } from '#src/imports/csv/encoding.ts'
import { ElementSplitter } from '#src/imports/json-text/element-splitter.ts'
import { type Envelope, envelopeOf, pieceOf } from '#src/imports/json-text/envelope.ts'
import { featureParts } from '#src/imports/json-text/geo-feature.ts'
import { isOwnItem, OwnItems } from '#src/imports/json-text/own-items.ts'
import { RecordBatch } from '#src/imports/record-batch.ts'
import {
  type Cell,
  ImportFault,
  type ImportReader,
  type LeftOut,
  type RowFault,
  type SourceRecord,
} from '#src/imports/source.ts'
import { ColumnNames, tableName } from '#src/imports/table-names.ts'
import { cellFault } from '#src/imports/table-rows.ts'
import { parseExactJson } from '#src/json/exact-json.ts'

/** JSON (a list of objects, or an object that has some) and JSON Lines. */
export const jsonReader: ImportReader = {
  async *read(file, { signal }) {
    const encoding = await encodingOf(file.path)
    if (encoding.broken) throw new ImportFault('it is neither UTF-8 nor UTF-16', { file: file.name })
    const text = () => decoded(file.path, encoding, signal)
    const whole = tableName(file.name)
    const envelope = LINES.test(file.name) ? undefined : await envelopeOf(text())
    if (!envelope) return yield* elementsOf(text(), whole, file.name)
    const { lists } = envelope
    yield [aroundOf(envelope)]
    for (const list of lists) {
      const table = lists.length === 1 ? whole : tableName(list.path)
      yield* elementsOf(pieceOf(text(), list), table, file.name)
    }
  },
}

const LINES = /\.(?:jsonl|ndjson)$/i

/** What is said of an object that is around lists. */
function aroundOf({ lists, others }: Envelope): LeftOut {
  const names = lists.map(({ path }) => `'${path}'`).join(', ')
  const rest = others.length ? `; left out: ${others.join(', ')}` : ''
  const reason = `its objects are the rows${rest}. To import the file as one item, give it a name that ends in .jsonl`
  return { is: 'left_out', name: `what is around ${names}`, reason }
}

/** Records of the objects of a list, or of lines. */
async function* elementsOf(
  pieces: AsyncIterable<string>,
  table: string,
  file: string,
): AsyncGenerator<SourceRecord[]> {
  const splitter = new ElementSplitter()
  let elements: Elements | OwnItems | undefined
  const take = (text: string) => {
    const line = splitter.element++
    const { value, fault } = readElement(text, file, line, splitter.isList)
    elements ??= isOwnItem(value) ? new OwnItems(file) : new Elements(table, file)
    if (fault === undefined) elements.take(value, line)
    else elements.leave(line, { message: fault })
  }
  try {
    for await (const piece of pieces) {
      for (const text of splitter.take(piece)) take(text)
      if (elements?.isFull) yield elements.give()
    }
    const last = splitter.close()
    if (last) take(last)
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ImportFault || 'code' in error) throw error
    throw new ImportFault(error.message, { file, line: splitter.element })
  }
  yield (elements ?? new Elements(table, file)).give()
}

/** @throws ImportFault where it is no JSON */
function readElement(
  text: string,
  file: string,
  line: number,
  isInList: boolean,
): { value?: unknown; fault?: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ImportFault(`this is no JSON: ${(error as Error).message.slice(0, 200)}`, { file, line })
  }
  if (!isRecord(value))
    return { value, fault: isInList ? 'expected an object' : 'expected an object, or a list of objects' }
  try {
    // What would be rounded, or is there twice.
    parseExactJson(Buffer.from(text))
  } catch (error) {
    return { value, fault: faultsOf(error as ServiceError).slice(0, 500) }
  }
  return { value }
}

/** All in one message: a row has no `details.errors` where the others are. */
function faultsOf({ message, details }: ServiceError): string {
  const errors = details?.['errors'] as readonly Problem[] | undefined
  return errors ? errors.map((each) => `${each.path}: ${each.message}`).join(', and ') : message
}

/** Objects as rows; what they have in objects of theirs is in columns called `outer.inner`. */
class Elements extends RecordBatch {
  private readonly columns: ColumnNames
  /** By the names that lead to it, each with its length: what is called `a.b` is not the `b` in `a`. */
  private readonly known = new Map<string, string>()
  private readonly table: string

  constructor(table: string, file: string) {
    super()
    this.table = table
    this.columns = new ColumnNames({ file })
    this.add({ is: 'table', table, columns: [] })
  }

  take(value: unknown, line: number): void {
    const cells = new Map<string, Cell>()
    const { table } = this
    const object = value as Record<string, unknown>
    const [own, beside = {}] = featureParts(object) ?? [object]
    const fault =
      this.flatten(own, { heading: '', key: '' }, line, cells) ??
      this.flatten(beside, { heading: '', key: 'beside:' }, line, cells)
    this.add({ is: 'row', table, line, cells, ...(fault && { fault }) })
  }

  leave(line: number, fault: RowFault): void {
    this.add({ is: 'row', table: this.table, line, cells: new Map(), fault })
  }

  private flatten(
    value: Record<string, unknown>,
    outer: { heading: string; key: string },
    line: number,
    cells: Map<string, Cell>,
  ): RowFault | undefined {
    for (const [name, each] of Object.entries(value)) {
      const heading = outer.heading + name
      const key = `${outer.key}${name.length}:${name}`
      if (isRecord(each)) {
        const fault = this.flatten(each, { heading: `${heading}.`, key }, line, cells)
        if (fault) return fault
        continue
      }
      const column = this.columnOf(key, heading, line)
      const cell = cellOf(each)
      const message = Array.isArray(cell) ? cell.map(cellFault).find(Boolean) : cellFault(cell)
      if (message) return { column, message }
      if (cell !== null && cell !== '') cells.set(column, cell)
    }
    return undefined
  }

  private columnOf(key: string, heading: string, line: number): string {
    let name = this.known.get(key)
    if (name === undefined) {
      this.known.set(key, (name = this.columns.add(heading, line)))
      this.add({ is: 'table', table: this.table, columns: [name] })
    }
    return name
  }
}

function cellOf(value: unknown): Cell {
  if (!Array.isArray(value)) return value as Cell
  if (value.some((each) => typeof each === 'object')) return JSON.stringify(value).slice(0, MAX_ROW)
  // Nothing is chosen, or meant, by a text without anything in it.
  const texts = value.map(String).filter((each) => each.trim())
  return texts.length ? texts : null
}
