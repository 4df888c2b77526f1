import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import { compareFacts, type CopyFacts, factsOf, readFacts } from '#src/backup/copy-facts.ts'
import { conflict, unavailable } from '#src/domain/errors.ts'
import type { KnownBlob } from '#src/files/blob-fault.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { appliedMigrations } from '#src/storage/schema/refuse-other-schema.ts'
import { migrations } from '#src/storage/migrations/index.ts'
import { verifyChain } from '#src/storage/log/verify-chain.ts'
import { contentsOf, type FaultsBeside as FaultsOfFiles, faultsOfFiles } from '#src/transfer/moved-files.ts'
import { checkFile } from '#src/transfer/import-file.ts'

export interface CheckedCopy {
  file: string
  kind: 'sqlite' | 'export'
  /** Null where the copy does not say, as those of older versions. */
  made_at: string | null
  version: string | null
  counts: Record<string, number>
  /** Of the log; null: it is empty, or of a version whose log this program does not check. */
  head: string | null
  /** Whether the key of the secrets is in it, or is not needed. */
  has_key: boolean
  /** Blobs that belong to it and are not next to it, with their size. */
  missing_files: string[]
  /** Those whose bytes are others than they were, where the files were read. */
  damaged_files: string[]
}

const SQLITE = 'SQLite format 3\0'

/**
 * Reads a copy whole, with `files` those next to it too, and writes nothing.
 * @throws Conflict that says what is wrong with it
 */
export async function checkCopy(file: string, { files = false } = {}): Promise<CheckedCopy> {
  if (!existsSync(file)) throw unavailable(`There is no ${file}`)
  return isSqlite(file) ? checkSqlite(file, files) : checkExport(file, files)
}

export function isSqlite(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(SQLITE.length)
    readSync(descriptor, bytes, 0, bytes.length, 0)
    return bytes.toString('latin1') === SQLITE
  } finally {
    closeSync(descriptor)
  }
}

async function checkSqlite(file: string, files: boolean): Promise<CheckedCopy> {
  const said = saidBy(file)
  const db = new SqliteConnection(file, { readonly: true })
  try {
    if (said) compareFacts(db.raw, said.facts, file)
    const { counts, head } = said?.facts ?? (await withoutFacts(db, file))
    const checked = (await isOfThisVersion(db)) ? await checkLog(db, file, head) : null
    const { made_at = null, version = null } = said?.facts ?? {}
    return {
      file,
      kind: 'sqlite',
      made_at,
      version,
      counts,
      head: checked,
      has_key: Boolean(said?.key),
      ...faultsOf(await beside(db, file, files)),
    }
  } finally {
    db.close()
  }
}

/** A file that is cut off, or no base, is reported in a sentence. */
function saidBy(file: string): { facts: CopyFacts; key: string | null } | null {
  const copy = new Database(file, { readonly: true })
  try {
    if (!copy.prepare("select 1 from sqlite_schema where name = 'schema_migration'").get())
      throw conflict(`${file} is no copy of Facet`)
    return factsOf(copy)
  } catch (error) {
    if (error instanceof Database.SqliteError) throw conflict(`${file} is damaged: ${error.message}`)
    throw error
  } finally {
    copy.close()
  }
}

async function withoutFacts(db: SqliteConnection, file: string): Promise<CopyFacts> {
  if (!(await isOfThisVersion(db)))
    throw conflict(`${file} is of another version and does not say what is in it`, {
      suggestion: 'It can be restored: what it holds is brought up to date',
    })
  const facts = await readFacts(db, '')
  compareFacts(db.raw, facts, file)
  return facts
}

const beside = async (db: SqliteConnection, file: string, whole: boolean): Promise<FaultsOfFiles> =>
  (await appliedMigrations(db)).includes('0036-files')
    ? faultsOfFiles(file, contentsOf(db), whole)
    : { missing: [], damaged: [] }

const faultsOf = ({ missing, damaged }: FaultsOfFiles) => ({
  missing_files: missing,
  damaged_files: damaged,
})

const isOfThisVersion = async (db: SqliteConnection): Promise<boolean> =>
  (await appliedMigrations(db)).join() === Object.keys(migrations).join()

async function checkLog(db: SqliteConnection, file: string, head: string | null): Promise<string | null> {
  const chain = await verifyChain(db)
  if (chain.broken)
    throw conflict(`${file}: event ${chain.broken.event_id} of the log does not fit: ${chain.broken.reason}`)
  if (head !== null && chain.head !== head)
    throw conflict(`${file}: the log ends with another event than it did`)
  return chain.count ? chain.head : null
}

async function checkExport(file: string, files: boolean): Promise<CheckedCopy> {
  const contents: KnownBlob[] = []
  const { header, end, head } = await checkFile(file, (content) => contents.push(content))
  if (!header.accounts)
    throw conflict(`${file} is an export without accounts`, {
      suggestion: 'Copies have them; bring this file in with the command import',
    })
  return {
    file,
    kind: 'export',
    made_at: null,
    version: null,
    counts: end.counts,
    head,
    has_key: true,
    ...faultsOf(await faultsOfFiles(file, contents, files)),
  }
}
