import { CHECK_EVERY, FORMAT, Ledger, VERSION } from '#src/transfer/export-format.ts'
import type { Open } from '#src/transfer/exported-secrets.ts'
import type { Db } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { lastRowId, readRecords, type Row } from '#src/storage/transfer/read-records.ts'
import { kindsOf, type RecordKind } from '#src/storage/transfer/record-kinds.ts'

/** Records are read in pages of about this size. */
const PAGE_BYTES = 2_000_000
const FEWEST = 1
const FIRST = 100
const MOST = 2000

/** The lines of an export, a page at a time. Read it inside one snapshot. `open` reads what is sealed in the database. */
export async function* exportLines(
  db: Db,
  { accounts, open }: { accounts: boolean; open: Open },
): AsyncGenerator<Buffer> {
  const ledger = new Ledger()
  const counts: Record<string, number> = {}
  await requireWholeLog(db)
  yield line(ledger, { record: 'header', format: FORMAT, version: VERSION, accounts })
  for (const kind of kindsOf({ accounts })) {
    counts[kind.name] = 0
    for await (const rows of pages(db, kind)) {
      counts[kind.name]! += rows.length
      yield Buffer.concat(rows.map((row) => line(ledger, { record: kind.name, ...open(kind, row) })))
    }
  }
  for (const kind of kindsOf({ accounts })) {
    if (!kind.counted) continue
    const last = await lastRowId(db, kind)
    yield line(ledger, { record: 'last_row_id', of: kind.name, id: last })
  }
  yield line(ledger, { record: 'end', counts, sha256: ledger.sha256() })
}

/** The line, and behind it one that vouches for all so far where it is time. */
function line(ledger: Ledger, value: object): Buffer {
  const text = add(ledger, value)
  if (ledger.lines % CHECK_EVERY) return text
  return Buffer.concat([text, add(ledger, { record: 'check', lines: ledger.lines, sha256: ledger.sha256() })])
}

function add(ledger: Ledger, value: object): Buffer {
  const text = Buffer.from(`${JSON.stringify(value)}\n`)
  ledger.add(text)
  return text
}

/** Of rows that are long fewer are read at once. */
async function* pages(db: Db, kind: RecordKind): AsyncGenerator<Row[]> {
  let after: Row | undefined
  let limit = FIRST
  for (;;) {
    const rows = await readRecords(db, kind, after, limit)
    if (rows.length) yield rows
    if (rows.length < limit) return
    after = rows.at(-1)
    const longest = Math.max(...rows.map(length))
    limit = Math.min(Math.max(Math.floor(PAGE_BYTES / longest), FEWEST), MOST, limit * 4)
  }
}

const length = (row: Row) =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)
