import Database from 'better-sqlite3'
import { DISK_FAILS, DISK_FULL, type ServiceError, unavailable } from '#src/domain/errors.ts'

interface Fault {
  /** First part of SQLite's error code (https://sqlite.org/rescode.html). */
  code: string
  message: string
  suggestion: string
}

const DAMAGED = {
  message: 'The database file is damaged; nothing more is written to it',
  suggestion: 'Stop the service and restore the file from a backup',
}
const FAULTS: readonly Fault[] = [
  {
    code: 'SQLITE_FULL',
    message: DISK_FULL.sqlite,
    suggestion: 'Free space and try again',
  },
  {
    code: 'SQLITE_BUSY',
    message: 'Another program keeps the database locked: nothing was changed',
    suggestion: 'Try again, and end the program that has the database file open',
  },
  {
    code: 'SQLITE_IOERR',
    message: DISK_FAILS.sqlite,
    suggestion: 'Try again, and check the disk and the system log',
  },
  {
    code: 'SQLITE_READONLY',
    message: 'The database file cannot be written',
    suggestion: 'Make the file and its folder writable for the service',
  },
  { code: 'SQLITE_CORRUPT', ...DAMAGED },
  { code: 'SQLITE_NOTADB', ...DAMAGED },
]

/** What the world outside does to a database file, as an error for the caller; null for any other error. */
export function sqliteFault(error: unknown): ServiceError | null {
  const fault = faultOf(error)
  return fault ? unavailable(fault.message, { suggestion: fault.suggestion }) : null
}

/** The file itself is broken: writing on would make it worse. */
export const isDamage = (error: unknown): boolean => faultOf(error)?.message === DAMAGED.message

function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined
  return FAULTS.find(({ code }) => error.code.startsWith(code))
}
