import { statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { sql } from 'kysely'
import { isInPlace } from '#src/backup/back-up-to.ts'
import { backupPlan } from '#src/backup/backup-plan.ts'
import { faultOfBackups } from '#src/cli/doctor/check-files.ts'
import { counted } from '#src/domain/message-words.ts'
import { folderFault, nearestThere } from '#src/files/folder-fault.ts'
import { type Finding, fail, failed, ok, warn } from '#src/cli/doctor/finding.ts'
import { GB, sizeInWords } from '#src/cli/doctor/size-in-words.ts'
import type { Config, DatabaseConfig } from '#src/config/config.ts'
import { readS3Place } from '#src/config/s3-place.ts'
import { ulidTime } from '#src/domain/ulid.ts'
import type { CommandConnection } from '#src/engine/command-connection.ts'
import { refuseLoneLog } from '#src/sql/database-file.ts'
import { backupState, isAhead } from '#src/storage/schema/backup-state.ts'
import { refuseHalfImport } from '#src/storage/schema/import-state.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { refuseOtherSchema } from '#src/storage/schema/refuse-other-schema.ts'

/** Bytes below which a disk is nearly full. */
const LITTLE = GB
/** Milliseconds by which clocks may differ. */
const SLACK = 60_000
/** Milliseconds that a copy may take, and be tried again, until it is missed. */
const LATE_COPY = 6 * 3_600_000

/** The database is open. */
export async function checkDatabase({ db }: CommandConnection, database: DatabaseConfig): Promise<Finding> {
  try {
    await refuseOtherSchema(db)
    await refuseHalfImport(db)
    const name = database.engine === 'sqlite' ? `SQLite, ${database.file}` : 'PostgreSQL'
    const count = sql`select count(*) as n from item`.compile(db.dialect.builder)
    const [{ n } = { n: 0 }] = await db.select<{ n: number | string }>(count)
    return ok('database', `${name}: ${counted(Number(n), 'item')}, deleted ones too`)
  } catch (error) {
    return notOpened(error)
  }
}

/** What keeps the base from being opened. */
export const notOpened = (error: unknown): Finding =>
  failed('database', error, 'Set DATABASE_URL to a base that can be reached')

/** There is none yet: the first start makes one, where it may. @throws ServiceUnavailable with what it is refused for */
export function notThereYet(file: string): Finding {
  refuseLoneLog(file)
  const fault = folderFault(dirname(file), 'DATABASE_URL')
  if (fault) return fail('database', `No base can be made: ${fault.message}`, fault.remedy)
  return warn(
    'database',
    `There is no base at ${resolve(file)} yet`,
    'The first start makes one; elsewhere set DATABASE_URL',
  )
}

/** Room for the base, its log and a copy. */
export function checkDisk({ database, files, backup }: Config): Finding {
  const folders = new Map<string, string>()
  if (database.engine === 'sqlite') folders.set('the base', dirname(resolve(database.file)))
  if (files.kind === 'folder') folders.set('files', files.folder)
  if (backup.to !== null && !readS3Place(backup.to)) folders.set('copies', resolve(backup.to))
  if (!folders.size) return ok('disk', 'All is on other machines')
  const told: string[] = []
  for (const [what, folder] of folders) {
    const { bavail, bsize } = statfsSync(nearestThere(folder))
    const free = bavail * bsize
    const size = database.engine === 'sqlite' ? sizeOf(database.file) : 0
    told.push(`${sizeInWords(free)} free for ${what}`)
    if (free < Math.max(LITTLE, 2 * size))
      return warn(
        'disk',
        `${sizeInWords(free)} are free for ${what} (${folder}), which has ${sizeInWords(size)}`,
        'Make room: a copy and a large change need twice the base',
      )
  }
  return ok('disk', told.join(', '))
}

const sizeOf = (file: string) =>
  ['', '-wal'].reduce((sum, end) => sum + (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Against the newest entry, and against the database's own clock. */
export async function checkClock({ db }: CommandConnection, database: DatabaseConfig): Promise<Finding> {
  const now = Date.now()
  const newest = await newestId(db)
  const says = `This machine says ${new Date(now).toISOString()}`
  const mend = 'Set the clock right (NTP)'
  if (newest !== null && ulidTime(newest) > now + SLACK)
    return fail(
      'clock',
      `${says}, and the newest entry of the base is of ${new Date(ulidTime(newest)).toISOString()}`,
      mend,
    )
  if (database.engine === 'sqlite') return ok('clock', says)
  const there = sql`select extract(epoch from clock_timestamp()) * 1000 as ms`
  const ms = Number((await db.select<{ ms: number | string }>(there.compile(db.dialect.builder)))[0]!.ms)
  return Math.abs(ms - now) > SLACK
    ? warn('clock', `${says}, and the server of PostgreSQL ${new Date(ms).toISOString()}`, mend)
    : ok('clock', `${says}, as the server of PostgreSQL does`)
}

/** By what plan copies are made, and how old the newest is. */
export async function checkBackups({ db }: CommandConnection, config: Config): Promise<Finding> {
  const { backup } = config
  if (backup.to === null)
    return warn(
      'backups',
      'No copies are made: where the disk is lost, all is lost',
      'Set BACKUP_TO to a folder on another disk or to s3://bucket/prefix, and try a copy: restore COPY --check',
    )
  const fault = await faultOfBackups(config)
  if (fault) return fail('backups', fault.message, fault.remedy)
  const { made, failed } = await backupState(db)
  if (failed)
    return fail(
      'backups',
      `At ${failed.failed_at} it failed: ${failed.reason}`,
      `Mend BACKUP_TO (${backup.to})`,
    )
  if (!made) return warn('backups', `No copy has been made to ${backup.to} yet`, 'Make one now: backup')
  const says = `The newest copy is ${made.name} of ${made.made_at}`
  const [now, then] = [Date.now(), Date.parse(made.made_at)]
  if (isAhead(then, now))
    return warn(
      'backups',
      `${says}, and this machine says ${new Date(now).toISOString()}`,
      'Set the clock right (NTP), or where it is, make a copy now: backup',
    )
  if (!(await isInPlace(config, made.name)))
    return warn(
      'backups',
      `${says}, and it is not in ${backup.to}`,
      'See whether the disk of BACKUP_TO is mounted, or whether it led elsewhere before, and make a copy now: backup',
    )
  const [due] = backupPlan(config).previousRuns(1, new Date(now - LATE_COPY))
  return due && then < due.getTime()
    ? warn('backups', says, `Look at BACKUP_AT (${backup.at}), and whether the service runs`)
    : ok('backups', says)
}
