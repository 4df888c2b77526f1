import {
  type End,
  FORMAT,
  HASHED,
  type Header,
  Ledger,
  LIMITED,
  VERSION,
} from '#src/transfer/export-format.ts'
import { conflict, type ServiceError } from '#src/domain/errors.ts'
import type { Row } from '#src/storage/transfer/read-records.ts'
import {
  type ColumnType,
  kindsOf,
  RECORD_KINDS,
  type RecordKind,
} from '#src/storage/transfer/record-kinds.ts'

/** What a line brings for the database. */
export type Entry = { kind: RecordKind; row: Row } | { kind: RecordKind; last: number }

/** Records that bring nothing for the database. */
const OWN = new Set<unknown>(['header', 'check', 'end'])

type Fields = Record<string, unknown>

const FITS: Record<ColumnType, (value: unknown) => boolean> = {
  integer: (value) => Number.isSafeInteger(value),
  text: (value) => typeof value === 'string',
  'text or null': (value) => value === null || typeof value === 'string',
  'number or null': (value) => value === null || Number.isFinite(value),
}

/** Takes the lines of an export one after the other and finds what is wrong with them. */
export class ExportReader {
  readonly ledger = new Ledger()
  header: Header | undefined
  end: End | undefined
  /** Events of the log without a hash. */
  unhashed = 0
  /** Keys that end here, because the file does not say what they see. */
  endedKeys = 0
  /** The hash of the newest event; null: there is none, or it has none. */
  head: string | null = null
  private kinds: readonly RecordKind[] = []
  private at = 0
  private last: Row | undefined
  private readonly counts: Record<string, number> = {}
  private none: Readonly<Record<string, number>> = {}
  /** The line that vouched for what comes before it. */
  private vouched = 0

  /** What the line, which has its line feed, brings. @throws Conflict where the file is damaged */
  take(line: Buffer): Entry | undefined {
    const number = this.ledger.lines + 1
    const fields = this.parse(line, number)
    const { record } = fields
    if (this.end) throw this.damaged('there is more after its end')
    if (!this.header) this.begin(fields)
    else if (record === 'check') this.check(fields)
    else if (record === 'end') this.finish(fields)
    const entry = !OWN.has(record) && this.entry(fields)
    this.ledger.add(line)
    return entry || undefined
  }

  /** @throws Conflict where the end is missing */
  close(): void {
    if (!this.end) throw this.damaged('it ends here; the rest is missing')
  }

  private parse(line: Buffer, number: number): Fields {
    let value: unknown
    try {
      value = JSON.parse(line.toString())
    } catch {
      if (number === 1) throw notAnExport()
      throw this.damaged(line.at(-1) === 0x0a ? 'it is no JSON' : 'the file is cut here')
    }
    if (line.at(-1) !== 0x0a) throw this.damaged('the file is cut here')
    if (typeof value !== 'object' || value === null) throw this.damaged('it is no object')
    return value as Fields
  }

  private begin({ record, format, version, accounts }: Fields): void {
    if (record !== 'header' || format !== FORMAT || typeof version !== 'number') throw notAnExport()
    if (version > VERSION)
      throw conflict(
        `The file has version ${version} of the format; this program reads versions up to ${VERSION}`,
        { suggestion: 'Import it with the version of Facet that wrote it, or a newer one' },
      )
    if (typeof accounts !== 'boolean') throw this.damaged('accounts is not true or false')
    this.header = { format: FORMAT, version, accounts }
    this.kinds = kindsOf(this.header)
    this.none = Object.fromEntries(this.kinds.map(({ name }) => [name, 0]))
    Object.assign(this.counts, this.none)
  }

  private check({ lines, sha256 }: Fields): void {
    if (lines !== this.ledger.lines || sha256 !== this.ledger.sha256()) throw this.notVouched()
    this.vouched = this.ledger.lines
  }

  private finish({ counts, sha256 }: Fields): void {
    if (sha256 !== this.ledger.sha256()) throw this.notVouched()
    // Older files know fewer kinds.
    if (JSON.stringify({ ...this.none, ...(counts as object) }) !== JSON.stringify(this.counts))
      throw this.damaged('its counts are not those of the records')
    this.end = { counts: this.counts, sha256 }
  }

  private entry(fields: Fields): Entry {
    if (fields.record === 'last_row_id') return this.lastRowId(fields)
    const at = this.kinds.findIndex(({ name }) => name === fields.record)
    const kind = this.kinds[at]
    if (!kind)
      throw this.damaged(`the record ${JSON.stringify(fields.record)} is unknown or has no place here`)
    if (at < this.at) throw this.damaged(`a ${kind.name} comes after a ${this.kinds[this.at]!.name}`)
    const row = this.row(kind, fields)
    if (at === this.at && this.last && compareKeys(kind, this.last, row) >= 0)
      throw this.damaged(`this ${kind.name} appears twice or out of order`)
    this.at = at
    this.last = row
    this.counts[kind.name]!++
    return { kind, row }
  }

  private row({ name, columns, added }: RecordKind, given: Fields): Row {
    const row: Row = {}
    const fields: Fields = { ...added, ...(name === 'api_key' ? this.withLimit(given) : given) }
    for (const [column, type] of Object.entries(columns)) {
      if (!FITS[type](fields[column])) throw this.damaged(`${name}.${column} is no ${type}`)
      row[column] = fields[column] as Row[string]
    }
    if (name === 'audit_event') {
      this.head = row['hash'] as string | null
      if (this.head === null) this.takeUnhashed()
    }
    return row
  }

  /**
   * Before version 5 limits were not written. A key with `proposes` is of a program that knew limits: it may have seen a
   * part of the base, and must not see all of it from now on. Programs before that had no limits.
   */
  private withLimit(key: Fields): Fields {
    if (this.header!.version >= LIMITED || 'limited_to' in key) return key
    if (!('proposes' in key)) return { ...key, limited_to: null }
    this.endedKeys++
    return { ...key, limited_to: null, expires_at: key['created_at'] }
  }

  /** Older programs wrote no hashes; where one is missing from a newer file, somebody has taken it out. */
  private takeUnhashed(): void {
    if (this.header!.version >= HASHED)
      throw this.damaged('the event has no hash, which every event of this version of the format has')
    this.unhashed++
  }

  private lastRowId({ of, id }: Fields): Entry {
    const kind = RECORD_KINDS.find(({ name, counted }) => counted && name === of)
    if (!kind || !Number.isSafeInteger(id)) throw this.damaged('it names no row id')
    return { kind, last: id as number }
  }

  private notVouched(): ServiceError {
    const [from, to] = [this.vouched + 1, this.ledger.lines]
    return conflict(
      `The file is damaged between line ${from} and line ${to}: its checksum is another`,
      GET_ANOTHER,
    )
  }

  private damaged(what: string): ServiceError {
    return conflict(`The file is damaged at line ${this.ledger.lines + 1}: ${what}`, GET_ANOTHER)
  }
}

const GET_ANOTHER = { suggestion: 'Copy the file again, or export again' }

const notAnExport = () =>
  conflict('The file is no export of Facet: its first line is not the header of one', {
    suggestion:
      '`npm run facet -- export --out FILE` makes one, and `npm run facet -- backup` a copy to restore',
  })

function compareKeys({ key }: RecordKind, a: Row, b: Row): number {
  for (const name of key) {
    const order = compareValues(a[name]!, b[name]!)
    if (order) return order
  }
  return 0
}

/** Text by code point, as both engines have it. */
const compareValues = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : Buffer.compare(Buffer.from(`${a}`), Buffer.from(`${b}`))
