import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileKey, keyFile } from '#src/auth/secret-keys.ts'
import { checkCopy, type CheckedCopy } from '#src/backup/check-copy.ts'
import { factsOf, takeFactsOut } from '#src/backup/copy-facts.ts'
import type { CopiedConfig } from '#src/backup/write-copy.ts'
import { badRequest, conflict } from '#src/domain/errors.ts'
import { databaseFile, fileFault, refuseLoneLog } from '#src/sql/database-file.ts'
import { lockSqliteFile } from '#src/sql/lock-sqlite-file.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { sqliteExecutor } from '#src/sql/sqlite-executor.ts'
import { endOpenAccess, type RestoredAccess, restoredAccess } from '#src/storage/accounts/restored-access.ts'
import { migrate } from '#src/storage/schema/migrate.ts'
import { openAlone } from '#src/transfer/open-alone.ts'
import { checkFile, importFile, refuseBase } from '#src/transfer/import-file.ts'
import type { KnownBlob } from '#src/files/blob-fault.ts'
import type { FileStore } from '#src/files/file-store.ts'
import { type BroughtFiles, bringFilesIn, storeBeside } from '#src/transfer/moved-files.ts'
import { exportedSecrets } from '#src/transfer/exported-secrets.ts'

export interface Restored {
  copy: CheckedCopy
  access: RestoredAccess
  /** Of them, keys that have ended: an older export does not say what they see. */
  ended_keys: number
  /** Where the key of the secrets came to lie; null: it was not in the copy. */
  key_file: string | null
  files: BroughtFiles
}

/**
 * Brings a copy back into a base that is empty, with its files, which `from` has.
 * @throws Conflict where it is not, or the copy is not sound
 */
export async function restoreCopy(
  config: CopiedConfig,
  file: string,
  from: FileStore = storeBeside(file),
): Promise<Restored> {
  const contents: KnownBlob[] = []
  const onContent = (content: KnownBlob) => void contents.push(content)
  const copy = await checkCopy(file, { database: config.database, onContent })
  const bringFiles = () => bringFilesIn(config.files, from, contents)
  if (copy.kind === 'export') return restoreExport(config, copy, bringFiles)
  if (config.database.engine === 'postgres')
    throw badRequest(`${file} is a copy of SQLite, and DATABASE_URL leads to PostgreSQL`, {
      suggestion: 'Restore it into a file, and move that by export and import',
    })
  refuseTaken(config.database, copy.kind)
  const files = await bringFiles()
  try {
    return { ...(await restoreSqlite(config, config.database.file, copy)), files }
  } catch (error) {
    throw fileFault(config.database.file, error)
  }
}

async function restoreSqlite(
  config: CopiedConfig,
  given: string,
  copy: CheckedCopy,
): Promise<Omit<Restored, 'files'>> {
  const file = databaseFile(given)
  const lock = lockSqliteFile(file)
  const unfinished = `${file}.restoring`
  const remove = () => {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${unfinished}${end}`, { force: true })
  }
  try {
    refuseFull(file, 'sqlite')
    remove()
    copyFileSync(copy.file, unfinished)
    const { access, key } = await openAgain(unfinished)
    const key_file = key === null ? null : putKey(config, key)
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    renameSync(unfinished, file)
    return { copy, access, ended_keys: 0, key_file }
  } finally {
    remove()
    lock.release()
  }
}

/** Makes a base of the copied file: of this version, without what was open when it was made. */
async function openAgain(file: string): Promise<{ access: RestoredAccess; key: string | null }> {
  const db = new SqliteConnection(file)
  try {
    const key = factsOf(db.raw)?.key ?? null
    takeFactsOut(db.raw)
    await migrate(sqliteExecutor(db.raw), sqliteDialect.schema)
    await endOpenAccess(db)
    return { access: await restoredAccess(db), key }
  } finally {
    db.close()
  }
}

/** What a base has whose service somebody has used. */
const CONTENT = ['item', 'tag', 'account', 'audit_event'] as const

/**
 * Before anything is brought along. `kind` is that of the copy: an export goes on where one was interrupted.
 * @throws Conflict where a base is there that the copy would take the place of
 */
export function refuseTaken(database: CopiedConfig['database'], kind: CheckedCopy['kind']): void {
  if (database.engine !== 'sqlite') return
  try {
    refuseFull(databaseFile(database.file), kind)
  } catch (error) {
    throw fileFault(database.file, error)
  }
}

function refuseFull(file: string, kind: CheckedCopy['kind']): void {
  if (!existsSync(file)) return refuseLoneLog(file)
  const db = new SqliteConnection(file)
  try {
    const tables = new Set(
      db.raw.prepare("select name from sqlite_schema where type = 'table'").pluck().all(),
    )
    if (kind === 'export' && tables.has('import_state') && isImporting(db)) return
    const held = CONTENT.filter((table) => tables.has(table))
      .map(
        (table) => [table, db.raw.prepare(`select count(*) from ${table}`).pluck().get() as number] as const,
      )
      .filter(([, count]) => count)
    if (held.length)
      throw conflict(
        `The base ${file} is not empty: it has ${held.map(([table, n]) => `${n} ${table}${n === 1 ? '' : 's'}`).join(', ')}`,
        { suggestion: 'Move it away with what lies next to it, or set DATABASE_URL to another file' },
      )
  } finally {
    db.close()
  }
}

const isImporting = ({ raw }: SqliteConnection): boolean =>
  raw.prepare('select 1 from import_state').get() !== undefined

/** What an empty base has sealed is nothing, so its key may go; it is moved aside all the same. */
function putKey({ database }: CopiedConfig, key: string): string {
  const file = keyFile(database)
  const there = fileKey(database)
  if (there === key) return file
  if (there !== null) renameSync(file, `${file}.before-${new Date().toISOString().replaceAll(':', '-')}`)
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return file
}

async function restoreExport(
  config: CopiedConfig,
  copy: CheckedCopy,
  bringFiles: () => Promise<BroughtFiles>,
): Promise<Restored> {
  const checked = await checkFile(copy.file)
  const { connection, release } = await openAlone(config.database)
  try {
    await refuseBase(connection, checked)
    const files = await bringFiles()
    await importFile(connection, checked, { seal: exportedSecrets(config).seal, atEnd: endOpenAccess })
    for (const statement of connection.db.dialect.afterLoading) await connection.exec(statement)
    const { ended_keys } = checked
    return { copy, access: await restoredAccess(connection.db), ended_keys, key_file: null, files }
  } finally {
    await connection.close()
    release()
  }
}
