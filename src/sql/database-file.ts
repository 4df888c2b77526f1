import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { type ServiceError, unavailable } from '#src/domain/errors.ts'
import { makeFoldersSync } from '#src/process/make-folders.ts'

const OTHERS = 0o077
const [OWNER_FOLDER, OWNER_FILE] = [0o700, 0o600]

/**
 * The path under which a database file is claimed and opened, links followed, so that two processes never take one
 * file for two. Its folder is made where there is none.
 * @throws ServiceUnavailable where the file has a second name
 */
export function databaseFile(given: string): string {
  makeFoldersSync(dirname(given), OWNER_FOLDER)
  const file = realPath(given)
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw isFolder(file)
  const { nlink = 1 } = found ?? {}
  if (nlink > 1)
    throw unavailable(
      `${file} has ${nlink} names (hard links), and a process under another one could destroy it`,
      {
        suggestion:
          'Copy it to a file of its own, or remove the other names; mount folders, not single files',
      },
    )
  return file
}

/**
 * Whether there is a database, for what makes none: its folder stays as it is.
 * @throws ServiceUnavailable where that cannot be seen, it may not be read or is a folder
 */
export function databaseIsThere(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    if (code !== 'EACCES' && code !== 'EPERM') throw fileFault(file, error)
    throw fault(file, `may not be read (${code})`, 'Run it as the user of the service')
  }
  if (statSync(file).isDirectory()) throw isFolder(file)
  return true
}

const isFolder = (file: string) => fault(file, 'is a folder', 'Set DATABASE_URL to a file')

/** @throws ServiceUnavailable where there is none, it may not be read or is a folder */
export function refuseNoDatabase(file: string): void {
  if (!databaseIsThere(file))
    throw unavailable(`There is no database at ${file}`, {
      suggestion: 'Run the command where the service runs, with the same DATABASE_URL',
    })
}

/** Also of what does not exist yet, and of a link that leads there. */
function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const folder = realpathSync(dirname(file))
  const link = lstatSync(file, { throwIfNoEntry: false })
  return link?.isSymbolicLink() ? realPath(resolve(folder, readlinkSync(file))) : join(folder, basename(file))
}

/**
 * Before a database is made: SQLite would remove the log of one that was moved away without it, or whose file was
 * lost, and what was written last is there alone.
 * @throws ServiceUnavailable where there is such a log and no database
 */
export function refuseLoneLog(file: string): void {
  const log = `${file}-wal`
  if (existsSync(file) || !statSync(log, { throwIfNoEntry: false })?.size) return
  throw unavailable(`${log} holds what was written last to a base that is not there any more`, {
    suggestion: 'Move it to where that base is now, under its name with -wal at the end, or away',
  })
}

/** Where the key of a database lies that has no other: `facet.db` → `facet.key`. */
export const keyBeside = (file: string): string =>
  join(dirname(file), `${basename(file).replace(/\.db$/, '')}.key`)

/**
 * Leaves a database, what belongs to it and its folder to the user that runs the service: it holds secrets. A folder
 * that holds other things too is left as it is.
 * @returns the sentences that an operator should read
 */
export function keepPrivate(file: string): string[] {
  const folder = dirname(file)
  const names = readdirSync(folder)
  const key = basename(keyBeside(file))
  const own = names.filter((name) => name.startsWith(basename(file)) || name === key)
  const warnings: string[] = []
  for (const name of own) warnings.push(...close(join(folder, name), OWNER_FILE))
  if (own.length === names.length) close(folder, OWNER_FOLDER)
  return warnings
}

/** What has gone since its name was read (SQLite removes its log where another program closes the file) is private. */
const isOpen = (path: string): boolean =>
  Boolean((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS)

function close(path: string, mode: number): string[] {
  if (!isOpen(path)) return []
  try {
    chmodSync(path, mode)
  } catch {
    // It belongs to somebody else, or the file system knows no owners.
  }
  if (!isOpen(path)) return []
  return [
    `Other users of this machine can read ${path}, which holds secrets: make it readable for the service's user alone`,
  ]
}

const FILE_SYSTEM: Readonly<Record<string, string>> = {
  EACCES: 'may not be read or written',
  EPERM: 'may not be read or written',
  EROFS: 'is on a file system that cannot be written',
  ENOTDIR: 'cannot be reached: a part of its path is no folder',
  ENOENT: 'cannot be reached: a part of its path does not exist',
  EEXIST: 'cannot be reached: a part of its path is no folder',
  ELOOP: 'is a link that leads to itself',
  ENOSPC: 'cannot be made: the disk is full',
}

const SQLITE: readonly (readonly [code: string, what: string, suggestion: string])[] = [
  ['SQLITE_NOTADB', 'is no SQLite database', 'Set DATABASE_URL to another file, or move this one away'],
  ['SQLITE_CORRUPT', 'is damaged', 'Restore it from a backup'],
  [
    'SQLITE_READONLY',
    'cannot be written',
    'Make the file and its folder writable for the user that runs Facet',
  ],
  [
    'SQLITE_CANTOPEN',
    'cannot be opened',
    'Make the file and its folder writable for the user that runs Facet',
  ],
  ['SQLITE_PERM', 'cannot be opened', 'Make the file and its folder writable for the user that runs Facet'],
  ['SQLITE_FULL', 'cannot be written: the disk is full', 'Free space, and try again'],
  // Room for what readers and writers share (-shm) is claimed when the database is opened.
  ['SQLITE_IOERR_SHMSIZE', 'cannot be opened: the disk is full', 'Free space, and try again'],
  ['SQLITE_IOERR', 'cannot be read or written: the disk does not answer as it should', 'Check the disk'],
  ['SQLITE_BUSY', 'is locked by another program', 'End the program that has it open'],
]

/** What keeps a database file from being used, in a sentence, also where a migration met it; any other error as it is. */
export function fileFault(file: string, error: unknown): unknown {
  const met = sqliteFault(file, error)
  if (met !== error) return met
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const what = FILE_SYSTEM[code]
  if (!what) return error
  const mend = code === 'ENOSPC' ? 'Free space' : 'Make its folder writable for the user that runs Facet'
  return fault(file, `${what} (${code})`, `${mend}, or set DATABASE_URL to another place`)
}

/** The same of what SQLite says, and nothing else: other files may be read beside it. */
export function sqliteFault(file: string, error: unknown): unknown {
  const met = error instanceof Error && error.cause instanceof Database.SqliteError ? error.cause : error
  if (!(met instanceof Database.SqliteError)) return error
  const [, what, suggestion] = SQLITE.find(([code]) => met.code.startsWith(code)) ?? []
  return what ? fault(file, `${what} (${met.code})`, suggestion!) : error
}

const fault = (file: string, what: string, suggestion: string): ServiceError =>
  unavailable(`The database ${file} ${what}`, { suggestion })
