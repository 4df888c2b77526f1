import { sql } from 'kysely'
import { baseOfCopy, copyName, readCopyName } from '#src/backup/copy-name.ts'
import type { CopyPlace } from '#src/backup/copy-place.ts'
import { FolderCopies } from '#src/backup/folder-copies.ts'
import { keptCopies } from '#src/backup/kept-copies.ts'
import { S3Copies } from '#src/backup/s3-copies.ts'
import type { CopiedConfig, WrittenCopy } from '#src/backup/write-copy.ts'
import type { Config } from '#src/config/config.ts'
import { readS3Place } from '#src/config/s3-place.ts'
import { ServiceError, unavailable } from '#src/domain/errors.ts'
import type { Db } from '#src/sql/query.ts'
import { backupState, isCopyDue } from '#src/storage/schema/backup-state.ts'
import { openWhole } from '#src/transfer/open-whole.ts'

/** In milliseconds. Nobody still writes what was begun this long ago; one upload of a large base takes hours. */
const ABANDONED = 24 * 3_600_000
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
 * Makes a copy where BACKUP_TO leads, and takes away what the plan does not keep. `record` is called with it before
 * another process may begin. Null where another one is at it, or has just been.
 */
export async function backUpTo(
  task: BackUpTask,
  record: (copy: WrittenCopy) => Promise<unknown>,
): Promise<WrittenCopy | null> {
  const place = copyPlace(task)
  const connection = await openWhole(task.database)
  try {
    return await connection.snapshot(async () => {
      if (!(await isOurTurn(connection.db, task))) return null
      await place.prepare(Date.now() - ABANDONED)
      const copy = await place.write(connection, copyName(task.base_id, task.at, task.database.engine))
      await record(copy)
      await removeOld(place, task)
      return copy
    })
  } finally {
    await connection.close()
  }
}

type CopiesConfig = CopiedConfig & Pick<Config, 'backup'>

function copyPlace(task: CopiesConfig & Pick<BackUpTask, 'base_id'>): CopyPlace {
  const { to } = task.backup
  const s3 = readS3Place(to!)
  return s3 ? new S3Copies(s3, task, task.base_id) : new FolderCopies(to!, task, task.base_id)
}

/** Whether a copy is where BACKUP_TO leads: its disk may not be mounted, or the setting may have led elsewhere before. */
export async function isInPlace(config: CopiesConfig, name: string): Promise<boolean> {
  try {
    return (await copyPlace({ ...config, base_id: baseOfCopy(name) ?? '' }).names()).includes(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function isOurTurn(db: Db, { database, unless_since, at }: BackUpTask): Promise<boolean> {
  if (database.engine === 'postgres') {
    const taken = sql<{ ours: boolean }>`select pg_try_advisory_xact_lock(${COPY_LOCK}) as ours`
    if (!(await db.select<{ ours: boolean }>(taken.compile(db.dialect.builder)))[0]!.ours) return false
  }
  return unless_since === undefined || isCopyDue((await backupState(db)).made, unless_since, at)
}

/** The copies of this base that the plan does not keep. That they stay is reported, and is no fault of the copy just made. */
async function removeOld(place: CopyPlace, { base_id, backup, time_zone, at }: BackUpTask): Promise<void> {
  try {
    const copies = (await place.names()).flatMap((name) => readCopyName(name, base_id) ?? [])
    const kept = keptCopies(copies, backup.keep, time_zone, at)
    const gone = copies.filter(({ name }) => !kept.has(name)).map(({ name }) => name)
    await place.remove(gone, kept, at - ABANDONED)
  } catch (error) {
    const { message, suggestion } = error as ServiceError
    throw unavailable(`A copy was made, and older ones could not be removed: ${message}`, {
      ...(suggestion && { suggestion }),
    })
  }
}
