import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { copyName, isUnfinishedCopy, readCopyName } from '#src/backup/copy-name.ts'
import { keptCopies } from '#src/backup/kept-copies.ts'
import { type CopiedConfig, writeCopy, type WrittenCopy } from '#src/backup/write-copy.ts'
import type { Config } from '#src/config/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import type { Db } from '#src/sql/query.ts'
import { backupState } from '#src/storage/schema/backup-state.ts'
import { newestFilesIn } from '#src/transfer/moved-files.ts'
import { openWhole } from '#src/transfer/open-whole.ts'

/** What was left unfinished and has not been touched for so long is of nobody who still writes, in milliseconds. */
const ABANDONED = 3_600_000
/** Of PostgreSQL's advisory locks: of several processes one makes the copy. */
const COPY_LOCK = 0x666163657f

export interface BackUpTask extends CopiedConfig {
  backup: Config['backup']
  time_zone: string
  base_id: string
  /** When it begins, in milliseconds; its name says so. */
  at: number
  /** Only where no copy has been made since then. */
  unless_since?: string | undefined
}

/**
 * Makes a copy in the folder of BACKUP_TO, and takes away what the plan does not keep. `record` is told of it before
 * another process may begin. Null where another one is at it, or has just been.
 */
export async function backUpTo(
  task: BackUpTask,
  record: (copy: WrittenCopy) => Promise<unknown>,
): Promise<WrittenCopy | null> {
  const folder = task.backup.to!
  makeFolder(folder)
  removeAbandoned(folder, task.base_id)
  const connection = await openWhole(task.database)
  try {
    return await connection.snapshot(async () => {
      if (!(await isOurTurn(connection.db, task))) return null
      const name = copyName(task.base_id, task.at, task.database.engine)
      const before = await newestFilesIn(folder, (each) => readCopyName(each, task.base_id) !== null)
      const copy = await writeCopy(connection, task, join(folder, name), before)
      syncFolder(folder)
      removeOld(folder, task)
      await record(copy)
      return copy
    })
  } finally {
    await connection.close()
  }
}

async function isOurTurn(db: Db, { database, unless_since }: BackUpTask): Promise<boolean> {
  if (database.engine === 'postgres') {
    const taken = sql<{ ours: boolean }>`select pg_try_advisory_xact_lock(${COPY_LOCK}) as ours`
    if (!(await db.select<{ ours: boolean }>(taken.compile(db.dialect.builder)))[0]!.ours) return false
  }
  const { made } = await backupState(db)
  return unless_since === undefined || made === null || made.made_at < unless_since
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unavailable(`The folder ${folder} for copies cannot be made: ${(error as Error).message}`, {
      suggestion: 'Set BACKUP_TO to a folder that the user of the service may write to',
    })
  }
}

/** What killed processes have left. */
function removeAbandoned(folder: string, base_id: string): void {
  for (const name of readdirSync(folder)) {
    if (!isUnfinishedCopy(name, base_id)) continue
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isFile() && found.mtimeMs < Date.now() - ABANDONED) rmSync(path, { force: true })
  }
}

/** The copies of this base that the plan does not keep; nothing else in the folder is touched. */
function removeOld(folder: string, { base_id, backup, time_zone }: BackUpTask): void {
  const copies = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name }) => readCopyName(name, base_id) ?? [])
  const kept = keptCopies(copies, backup.keep, time_zone)
  for (const { name } of copies) if (!kept.has(name)) rmSync(join(folder, name), { force: true })
  // Also of copies that were cut off, or taken away by hand.
  for (const each of readdirSync(folder)) {
    const name = each.endsWith('.files') ? each.slice(0, -'.files'.length) : ''
    if (readCopyName(name, base_id) && !kept.has(name))
      rmSync(join(folder, each), { recursive: true, force: true })
  }
}

/** So that the new name outlasts a power cut before an older copy is taken away. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
