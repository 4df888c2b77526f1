import { createReadStream } from 'node:fs'
import { conflict } from '#src/domain/errors.ts'
import type { CommandConnection } from '#src/engine/command-connection.ts'
import type { KnownBlob } from '#src/files/blob-fault.ts'
import type { Db } from '#src/sql/query.ts'
import { ensureOwner } from '#src/storage/accounts/accounts.ts'
import { noteEnds } from '#src/storage/accounts/security-chain.ts'
import { clearServerSecrets } from '#src/storage/accounts/server-secrets.ts'
import { releaseUnheld } from '#src/storage/files/file-uses.ts'
import { forgetStoreMark } from '#src/storage/files/store-mark.ts'
import { holdFilesOfAll } from '#src/storage/proposals/proposal-files.ts'
import { type ImportState, importState, setImportState } from '#src/storage/schema/import-state.ts'
import { countRecords, type Row } from '#src/storage/transfer/read-records.ts'
import { kindsOf, type RecordKind } from '#src/storage/transfer/record-kinds.ts'
import { goOnAfter, writeRecords } from '#src/storage/transfer/write-records.ts'
import { enterWords } from '#src/storage/words/enter-words.ts'
import type { End, Header } from '#src/transfer/export-format.ts'
import { type Entry, ExportReader } from '#src/transfer/export-reader.ts'
import type { Seal } from '#src/transfer/exported-secrets.ts'

const LINE_FEED = 0x0a
const CHUNK_BYTES = 1 << 20

/** The lines of a file with their line feeds, many at a time; the last has none where the file is cut. */
async function* fileLines(file: string): AsyncGenerator<Buffer[]> {
  let parts: Buffer[] = []
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const lines: Buffer[] = []
    let begin = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, begin)) {
      const end = chunk.subarray(begin, at + 1)
      lines.push(parts.length ? Buffer.concat([...parts, end]) : end)
      parts = []
      begin = at + 1
    }
    if (begin < chunk.length) parts.push(chunk.subarray(begin))
    if (lines.length) yield lines
  }
  if (parts.length) yield [Buffer.concat(parts)]
}

/** What goes into one transaction at the most. */
const BATCH_ENTRIES = 5000
const BATCH_BYTES = 8_000_000

/** An export that was found whole. */
export interface CheckedFile {
  file: string
  header: Header
  end: End
  lines: number
  /** Events of the log that have no hash in it. */
  unhashed: number
  /** Keys that end as they are imported: it does not say what they see. */
  ended_keys: number
  /** Of the log. */
  head: string | null
}

/**
 * Reads an export to its end; `onContent` is called with the bytes that its files have.
 * @throws Conflict that says what is wrong with it, and where
 */
export async function checkFile(
  file: string,
  onContent: (content: KnownBlob) => void = () => undefined,
): Promise<CheckedFile> {
  const reader = new ExportReader()
  for await (const lines of fileLines(file))
    for (const line of lines) {
      const entry = reader.take(line)
      if (entry?.kind.name === 'file_content' && 'row' in entry && entry.row.dropped_at === null)
        onContent(entry.row as Row & KnownBlob)
    }
  reader.close()
  const { header, end, ledger, unhashed, endedKeys: ended_keys, head } = reader
  return { file, header: header!, end: end!, lines: ledger.lines, unhashed, ended_keys, head }
}

export interface ImportOptions {
  /** Encrypts what is kept so. */
  seal: Seal
  /** Called with the lines that are done. */
  onProgress?: (lines: number) => void
  /** What is changed together with the last part: never is one there without the other. */
  atEnd?: (db: Db) => Promise<void>
}

/**
 * Writes an export into an empty base, or the rest of one that was interrupted; how far it has come is committed with
 * each part.
 */
export async function importFile(
  connection: CommandConnection,
  checked: CheckedFile,
  { seal, onProgress, atEnd }: ImportOptions,
): Promise<{ resumed: boolean }> {
  const { db } = connection
  await connection.refuseOthers()
  const begun = await importState(db)
  if (begun && checked.lines < begun.lines) throw anotherFile()
  if (!begun?.lines) await begin(connection, checked, begun)
  const reader = new ExportReader()
  let batch = new Batch()
  let last = begun ?? BEGINNING
  const flush = async () => {
    const state = { lines: reader.ledger.lines, sha256: reader.ledger.sha256() }
    await connection.write(async () => {
      await checkAlone(db, last)
      await batch.write(db, state)
    })
    onProgress?.(state.lines)
    last = state
    batch = new Batch()
  }
  for await (const lines of fileLines(checked.file))
    for (const line of lines) {
      const entry = reader.take(line)
      if (begun && reader.ledger.lines <= begun.lines) checkSame(begun, reader)
      else if (entry) batch.add(sealed(entry, seal), line.length)
      if (batch.full) await flush()
    }
  reader.close()
  await connection.write(async () => {
    await checkAlone(db, last)
    await batch.write(db, null)
    await complete(db, checked)
    await atEnd?.(db)
  })
  // A service that came to many would answer without them for a while.
  while (await connection.write(() => enterWords(db)));
  return { resumed: begun !== undefined }
}

const sealed = (entry: Entry, seal: Seal): Entry =>
  'row' in entry ? { ...entry, row: seal(entry.kind, entry.row) } : entry

/** Checks what was written, and makes what no file has. */
async function complete(db: Db, checked: CheckedFile): Promise<void> {
  await checkCounts(db, checked)
  await forgetStoreMark(db)
  await ensureOwner(db) // older files know no roles
  await noteEnds(db)
  await holdFilesOfAll(db)
  await releaseUnheld(db, new Date())
}

/** Entries that are written together. */
class Batch {
  private readonly entries: Entry[] = []
  private bytes = 0

  add(entry: Entry, bytes: number): void {
    this.entries.push(entry)
    this.bytes += bytes
  }

  get full(): boolean {
    return this.entries.length >= BATCH_ENTRIES || this.bytes >= BATCH_BYTES
  }

  /** `state` is how far the import has come with it; null: to its end. */
  async write(db: Db, state: ImportState | null): Promise<void> {
    let rows: Row[] = []
    let of: RecordKind | undefined
    const writeRows = async () => {
      if (of && rows.length) await writeRecords(db, of, rows)
      rows = []
    }
    for (const entry of this.entries) {
      if (entry.kind !== of || 'last' in entry) await writeRows()
      of = entry.kind
      if ('last' in entry) await goOnAfter(db, entry.kind, entry.last)
      else rows.push(entry.row)
    }
    await writeRows()
    await setImportState(db, state)
  }
}

const BEGINNING: ImportState = { lines: 0, sha256: '' }

/**
 * The service refuses to start from the first COMMIT on. A process that had looked before it is there by now.
 * @throws ServiceUnavailable with nothing changed
 */
async function begin(
  connection: CommandConnection,
  { header }: CheckedFile,
  begun: ImportState | undefined,
): Promise<void> {
  const { db } = connection
  await connection.write(() => setOut(db, header, begun))
  try {
    await connection.refuseOthers()
  } catch (error) {
    await connection.write(() => setImportState(db, null))
    throw error
  }
  if (!header.accounts) return
  await connection.write(async () => {
    await checkAlone(db, BEGINNING)
    await clearServerSecrets(db) // which no account has met yet
  })
}

async function setOut(db: Db, header: Header, begun: ImportState | undefined): Promise<void> {
  await checkAlone(db, begun)
  await refuseRecords(db, header)
  await setImportState(db, BEGINNING)
}

/** Before anything is brought along, such as files. @throws Conflict where a base is there, and no import that goes on */
export async function refuseBase({ db }: CommandConnection, { header }: CheckedFile): Promise<void> {
  if (!(await importState(db))) await refuseRecords(db, header)
}

async function refuseRecords(db: Db, header: Header): Promise<void> {
  for (const kind of kindsOf(header)) {
    const count = await countRecords(db, kind)
    if (count)
      throw conflict(`The database is not empty: it has ${count} ${kind.name}${count === 1 ? '' : 's'}`, {
        suggestion: 'Import into a new database: set DATABASE_URL to one',
      })
  }
}

/** @throws Conflict where the import is not as far as this one has left it */
async function checkAlone(db: Db, last: ImportState | undefined): Promise<void> {
  const found = await importState(db)
  if (found?.lines !== last?.lines || found?.sha256 !== last?.sha256)
    throw conflict('Another import into this database is going on', {
      suggestion: 'Let it finish',
    })
}

function checkSame(begun: ImportState, { ledger }: ExportReader): void {
  if (ledger.lines === begun.lines && ledger.sha256() !== begun.sha256) throw anotherFile()
}

const anotherFile = () =>
  conflict('This is not the file whose import was interrupted', {
    suggestion: 'Give the same file again, or begin with a new database',
  })

async function checkCounts(db: Db, { header, end }: CheckedFile): Promise<void> {
  for (const kind of kindsOf(header)) {
    const [found, wanted] = [await countRecords(db, kind), end.counts[kind.name] ?? 0]
    if (found !== wanted && header.version >= kind.derivedBefore)
      throw conflict(`The database has ${found} of ${wanted} records of the kind ${kind.name}`, {
        suggestion: 'Somebody else wrote to it: begin with a new database',
      })
  }
}
