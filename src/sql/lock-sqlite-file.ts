import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { unavailable } from '#src/domain/errors.ts'

/** A predecessor that is just stopping gets this long to let go. */
const PATIENCE_MS = 3000
/** File systems whose locks and shared memory SQLite cannot trust (statfs(2)): NFS, SMB, SMB2, CIFS. */
const NETWORK_FILE_SYSTEMS = [0x6969, 0x517b, 0xfe534d42, 0xff534d42]

export interface FileLock {
  release(): void
}

/**
 * Claims a database file for this process until it ends, however it ends: the kernel drops the lock of a killed
 * process. Readers of other programs (the sqlite3 shell, backups) are not kept out.
 * @throws ServiceUnavailable when another process has it.
 */
export function lockSqliteFile(file: string): FileLock {
  const { type } = statfsSync(dirname(file))
  if (NETWORK_FILE_SYSTEMS.includes(type))
    throw unavailable(`${file} is on a network file system, where SQLite can lose data`, {
      suggestion: 'Use a local disk',
    })
  const lock = new Database(`${file}.lock`, { timeout: PATIENCE_MS })
  try {
    // An empty database whose only use is its lock: nothing is ever written into it.
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (isBusy(error))
      throw unavailable(`${file} is in use by another Facet process`, {
        suggestion: 'Stop that one, or give this one a DATABASE_URL of its own',
      })
    throw error
  }
  return { release: () => lock.close() }
}

const isBusy = (error: unknown) =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
