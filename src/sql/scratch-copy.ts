import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { unavailable } from '#src/domain/errors.ts'
import { isDiskFull } from '#src/process/disk-full.ts'
import { copyDatabase, type OpenFile } from '#src/sql/copy-database.ts'
import type { SqliteConnection } from '#src/sql/sqlite-connection.ts'

/** Between the name of a file and what is random in that of the folder with its copy. */
const SUFFIX = '.scratch-'
/** Of the size of the file: what must be free, so that a copy leaves others room to write. */
const ROOM = 1.2

/**
 * Runs work on a copy of the database, in a transaction that is taken back: nobody else sees it, nor waits for it
 * (decision 48). `db` is a reader of the base; the copy is of what it sees, or a little newer.
 */
export async function onScratchCopy<T>(
  db: SqliteConnection,
  base: OpenFile,
  connect: (copy: string) => SqliteConnection,
  work: (scratch: SqliteConnection) => Promise<T>,
): Promise<T> {
  const { file } = base
  const folder = mkdtempSync(`${file}${SUFFIX}`)
  let scratch: SqliteConnection | undefined
  try {
    try {
      copyFiles(db, base, folder)
      scratch = connect(join(folder, basename(file)))
      scratch.throwIfEnded = db.throwIfEnded
      for (const pragma of ['synchronous = OFF', 'secure_delete = OFF', 'wal_autocheckpoint = 0'])
        scratch.raw.pragma(pragma)
      scratch.exec('BEGIN IMMEDIATE')
      scratch.beginRoom()
      scratch.refresh()
    } finally {
      // Open files stay for as long as they are open, and no longer, however this process ends.
      rmSync(folder, { recursive: true, force: true })
    }
    return await work(scratch)
  } finally {
    if (scratch?.inTransaction) scratch.exec('ROLLBACK')
    scratch?.close()
  }
}

/** The file and its log. While the reader's snapshot stands, they fit together, whatever is written meanwhile. */
function copyFiles(db: SqliteConnection, base: OpenFile, folder: string): void {
  refuseWithoutRoom(base.file)
  db.exec('BEGIN')
  try {
    db.raw.prepare('select 1 from sqlite_schema limit 1').get() // the snapshot begins with what is read first
    copyDatabase(base, folder, db.throwIfEnded)
  } catch (error) {
    throw isDiskFull(error) ? withoutRoom() : error
  } finally {
    db.exec('ROLLBACK')
  }
}

function refuseWithoutRoom(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file))
  if (bavail * bsize < statSync(file).size * ROOM) throw withoutRoom()
}

const withoutRoom = () =>
  unavailable('The disk has no room for the copy of the database that this is tried on', {
    suggestion: 'Free as much space as the database takes, or make smaller calls without dry_run',
  })

/** What a process that was killed has left next to a file; called by the one that has claimed it. */
export function removeScratchCopies(file: string): void {
  const folder = dirname(file)
  for (const name of readdirSync(folder))
    if (name.startsWith(`${basename(file)}${SUFFIX}`))
      rmSync(join(folder, name), { recursive: true, force: true })
}
