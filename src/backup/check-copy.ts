import { closeSync, copyFileSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import {
  compareFacts,
  compareSum,
  type CopyFacts,
  factsOf,
  newestHash,
  readFacts,
  refuseDamaged,
} from '#src/backup/copy-facts.ts'
import { inStagingFolder } from '#src/backup/staging-folder.ts'
import type { DatabaseConfig } from '#src/config/config.ts'
import { conflict, unavailable } from '#src/domain/errors.ts'
import { withinTransaction } from '#src/engine/transaction.ts'
import type { KnownBlob } from '#src/files/blob-fault.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { sqliteExecutor } from '#src/sql/sqlite-executor.ts'
import { enterDrafts, readHasDrafts } from '#src/storage/large/audit-drafts.ts'
import { isKeyOf } from '#src/storage/accounts/unreadable-secrets.ts'
import { verifyChain } from '#src/storage/log/verify-chain.ts'
import { migrations } from '#src/storage/migrations/index.ts'
import { migrate, missingMigrations } from '#src/storage/schema/migrate.ts'
import { appliedMigrations } from '#src/storage/schema/refuse-other-schema.ts'
import { contentsOf } from '#src/transfer/moved-files.ts'
import { checkFile } from '#src/transfer/import-file.ts'

export interface CheckedCopy {
  file: string
  kind: 'sqlite' | 'export'
  /** Null where the copy does not say, as those of older versions. */
  made_at: string | null
  version: string | null
  counts: Record<string, number>
  /** Of the log; null: it is empty, or older than its chain. */
  head: string | null
  /** Whether the key of the secrets is in it, or is not needed. */
  has_key: boolean
}

const SQLITE = 'SQLite format 3\0'
/** The byte of the header that says so. */
const WAL = { at: 18, value: 2 }

export interface CheckOptions {
  /** A temporary copy is made where this one lies. */
  database: DatabaseConfig
  /** Called with the bytes that its files have. */
  onContent?: (content: KnownBlob) => void
}

/**
 * Reads a copy whole, and leaves it and its folder as they are. One of an older version is read as it will be restored.
 * @throws Conflict that says what is wrong with it
 */
export async function checkCopy(file: string, options: CheckOptions): Promise<CheckedCopy> {
  if (!existsSync(file)) throw unavailable(`There is no ${file}`)
  if (isSqlite(file)) return checkSqlite(file, options)
  if (headOf(file, 1).toString() === '{') return checkExport(file, options)
  throw conflict(`${file} is no copy of Facet, or its beginning is damaged`, {
    suggestion: 'A copy is a database of SQLite or an export, as `npm run facet -- backup` makes it',
  })
}

function isSqlite(file: string): boolean {
  return headOf(file, SQLITE.length).toString('latin1') === SQLITE
}

/** Opened where it is, such a file would get others next to it. */
const isInWal = (file: string): boolean => headOf(file, WAL.at + 1)[WAL.at] === WAL.value

function headOf(file: string, length: number): Buffer {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(length)
    readSync(descriptor, bytes, 0, length, 0)
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

/** A file that is cut off, or no base, is reported in a sentence. */
async function checkSqlite(file: string, options: CheckOptions): Promise<CheckedCopy> {
  try {
    if (!isInWal(file) && (await isOfNow(file))) return await checkDatabase(file, file, options)
    return await inStagingFolder(options.database, async (folder) => {
      const own = join(folder, 'copy.db')
      copyFileSync(file, own)
      return checkDatabase(own, file, options)
    })
  } catch (error) {
    if (error instanceof Database.SqliteError || error instanceof SyntaxError)
      throw conflict(`${file} is damaged: ${error.message}`)
    throw error
  }
}

/** Whether there is nothing to bring up to date in it. */
async function isOfNow(file: string): Promise<boolean> {
  saidBy(file, file)
  const db = new SqliteConnection(file, { readonly: true })
  try {
    return !missingIn(await appliedMigrations(db), file).length && !(await readHasDrafts(db))
  } finally {
    db.close()
  }
}

/** `file` is what is meant, and `at` what is read: the same, or a copy of it that is ours. */
async function checkDatabase(at: string, file: string, { onContent }: CheckOptions): Promise<CheckedCopy> {
  const said = saidBy(at, file)
  const isOurs = at !== file
  const db = new SqliteConnection(at, { readonly: !isOurs })
  try {
    missingIn(await appliedMigrations(db), file)
    if (said) compareFacts(db.raw, said.facts, file)
    else refuseDamaged(db.raw, file)
    const head = newestHash(db.raw)
    if (isOurs) await bringUpToDate(db, file)
    await checkLog(db, file, head)
    // Last: what was found before says more.
    if (said) await compareSum(file)
    if (onContent) for await (const content of contentsOf(db)) onContent(content)
    const { counts } = said?.facts ?? (await readFacts(db, ''))
    const { made_at = null, version = null } = said?.facts ?? {}
    return {
      file,
      kind: 'sqlite',
      made_at,
      version,
      counts,
      head,
      has_key: said?.key ? await isKeyOf(db, said.key) : false,
    }
  } finally {
    db.close()
  }
}

/** Null: it says nothing of itself, or a service has worked with it since, and what it says is over. */
function saidBy(at: string, file: string): { facts: CopyFacts; key: string | null } | null {
  const copy = new Database(at, { readonly: true })
  try {
    if (!copy.prepare("select 1 from sqlite_schema where name = 'schema_migration'").get())
      throw conflict(`${file} is no copy of Facet`)
    return isInWal(file) ? null : factsOf(copy)
  } finally {
    copy.close()
  }
}

/** @throws Conflict where it is of a newer version, or of another line of them */
function missingIn(applied: readonly string[], file: string): string[] {
  try {
    return missingMigrations(Object.keys(migrations), applied)
  } catch (error) {
    throw conflict(`${file}: ${(error as Error).message}`, {
      suggestion: 'Restore it with the version that made it, or a newer one',
    })
  }
}

/** The schema, and the log where events of a large change were still to be entered. */
async function bringUpToDate(db: SqliteConnection, file: string): Promise<void> {
  try {
    await migrate(sqliteExecutor(db.raw), sqliteDialect.schema)
    while (await withinTransaction(db, db.dialect.begin.write, () => enterDrafts(db)));
  } catch (error) {
    throw conflict(`${file} cannot be brought up to date: ${(error as Error).message}`, {
      suggestion: 'Take another copy',
    })
  }
}

/** @throws Conflict where the log does not hold, or has no event with that hash any more */
export async function checkLog(db: SqliteConnection, file: string, head: string | null): Promise<void> {
  const { broken, continues } = await verifyChain(db, head ?? undefined)
  if (broken)
    throw conflict(`${file}: event ${broken.event_id} of the log does not fit: ${broken.reason}`, {
      suggestion: 'Look for an older copy whose log holds: restore COPY --check',
    })
  if (!continues) throw conflict(`${file}: the log ends with another event than it did`)
}

async function checkExport(file: string, { onContent }: CheckOptions): Promise<CheckedCopy> {
  const { header, end, head } = await checkFile(file, onContent)
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
  }
}
