import { isDiskFull } from '#src/process/disk-full.ts'
import { createWriteStream, existsSync, statfsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'
import { fileKey } from '#src/auth/secret-keys.ts'
import { checkLog } from '#src/backup/check-copy.ts'
import { compareFacts, type CopyFacts, readFacts, writeFacts, writeSum } from '#src/backup/copy-facts.ts'
import type { Config } from '#src/config/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import type { FileFaults } from '#src/files/blob-fault.ts'
import type { CommandConnection } from '#src/engine/command-connection.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { isKeyOf } from '#src/storage/accounts/unreadable-secrets.ts'
import { checkFile } from '#src/transfer/import-file.ts'
import { exportLines } from '#src/transfer/export-lines.ts'
import { exportedSecrets } from '#src/transfer/exported-secrets.ts'
import { copyFilesOut, filesBeside } from '#src/transfer/moved-files.ts'
import { makeFile } from '#src/transfer/make-file.ts'

export type CopiedConfig = Pick<Config, 'database' | 'secret_keys' | 'files' | 's3'>

export interface WrittenCopy {
  file: string
  facts: CopyFacts
  bytes: number
  /** The key of its secrets is in it, and opens them. */
  holds_key: boolean
  /** Contents of files that the store did not have, or not as they were: it is sound but for them. */
  missing_files: string[]
  damaged_files: string[]
}

/** All pages in one step, so that no writer can make the copy start again. */
const ALL_PAGES = 0x7fffffff
/** Of the size of the base: what must be free, so that a copy leaves others room to write. */
const ROOM = 1.05

/**
 * Writes a copy of the base as the connection's snapshot sees it, and reads it again before it has its name. Run it
 * inside the snapshot. Files that `before`, an earlier copy's folder of files, has are linked.
 * @throws ServiceUnavailable where there is no room; Conflict where the file is there, or the copy is not sound
 */
export async function writeCopy(
  connection: CommandConnection,
  config: CopiedConfig,
  file: string,
  before?: string,
): Promise<WrittenCopy> {
  const files = filesBeside(file)
  const isFirst = !existsSync(files)
  try {
    return await writeBase(connection, config, file, () =>
      copyFilesOut(connection.db, config.files, file, before),
    )
  } catch (error) {
    // They belong to no copy, and may be why there is no room.
    if (isFirst && !existsSync(file)) await rm(files, { recursive: true, force: true })
    throw error
  }
}

/** The same, but for the files, which `copyFiles` puts to where they belong. */
export async function writeBase(
  { db }: CommandConnection,
  config: CopiedConfig,
  file: string,
  copyFiles: () => Promise<FileFaults>,
): Promise<WrittenCopy> {
  const facts = await readFacts(db, new Date().toISOString())
  // An export has the secrets themselves.
  const { database, secret_keys } = config
  const key = database.engine === 'postgres' || secret_keys.length ? null : fileKey(database)
  const holds_key = key !== null && (await isKeyOf(db, key))
  let faults: FileFaults
  try {
    if (database.engine === 'sqlite') refuseWithoutRoom(database.file, file)
    // First, so that a copy which has its name has its files.
    faults = await copyFiles()
    await makeFile(file, async (unfinished) => {
      if (database.engine === 'postgres') await exportTo(db, config, unfinished)
      else await copySqlite(db as SqliteConnection, facts, key, unfinished)
    })
  } catch (error) {
    throw isFull(error) ? noRoom(file) : error
  }
  const { missing: missing_files, damaged: damaged_files } = faults
  return { file, facts, bytes: statSync(file).size, holds_key, missing_files, damaged_files }
}

async function copySqlite(
  { raw }: SqliteConnection,
  facts: CopyFacts,
  key: string | null,
  unfinished: string,
): Promise<void> {
  await raw.backup(unfinished, { progress: () => ALL_PAGES })
  const copy = new Database(unfinished)
  try {
    // Anyone who opens it later leaves nothing next to it.
    copy.pragma('journal_mode = DELETE')
    writeFacts(copy, facts, key)
    compareFacts(copy, facts, unfinished)
  } finally {
    copy.close()
  }
  await checkLogIn(unfinished, raw.name, facts.head)
  await writeSum(unfinished)
}

/** As a restoration will: a copy with a log that does not hold could not come back. */
async function checkLogIn(copy: string, base: string, head: string | null): Promise<void> {
  const db = new SqliteConnection(copy, { readonly: true })
  try {
    await checkLog(db, base, head)
  } finally {
    db.close()
  }
}

async function exportTo(
  db: CommandConnection['db'],
  config: CopiedConfig,
  unfinished: string,
): Promise<void> {
  const { open } = exportedSecrets(config)
  await pipeline(
    Readable.from(exportLines(db, { accounts: true, open })),
    createWriteStream(unfinished, { flags: 'r+' }),
  )
  await checkFile(unfinished)
}

function refuseWithoutRoom(base: string, target: string): void {
  const { bavail, bsize } = statfsSync(dirname(target))
  const { size } = statSync(base)
  if (bavail * bsize < size * ROOM) throw noRoom(target)
}

const isFull = (error: unknown) => isDiskFull(error) || (error as { code?: unknown }).code === 'SQLITE_FULL'

const noRoom = (file: string) =>
  unavailable(`There is no room for a copy in ${dirname(file)}: the disk is full`, {
    suggestion: 'Free space there, or set BACKUP_TO to another disk',
  })
