import { readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { unavailable } from '#src/domain/errors.ts'

const RETAINED = 3
const UNFINISHED = '.unfinished'
const PAGES_AT_ONCE = 10_000

/**
 * Copies a database, page by page, to `<file>.backup-<time>` next to it and keeps the newest three. It may be in use:
 * what is committed when the copy begins is in it.
 * @returns the path of the copy
 */
export async function backUpSqliteFile(file: string, time: Date): Promise<string> {
  const target = `${file}.backup-${time.toISOString().replaceAll(':', '-')}`
  const unfinished = target + UNFINISHED
  // Whoever upgrades has the lock: nobody is at these any more, and they may have taken the room that is needed.
  removeCopies(file, isUnfinished)
  const source = new Database(file, { readonly: true })
  try {
    await source.backup(unfinished, { progress: () => PAGES_AT_ONCE })
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw unavailable(
      `No backup of ${file} could be made, so it was left as it is: ${(error as Error).message}`,
      { suggestion: 'Free space, or make its folder writable, and start again' },
    )
  } finally {
    source.close()
  }
  renameSync(unfinished, target)
  removeCopies(file, (name, finished) => !isUnfinished(name) && !finished.slice(-RETAINED).includes(name))
  return target
}

function removeCopies(file: string, isOver: (name: string, finished: readonly string[]) => boolean): void {
  const folder = dirname(file)
  const prefix = `${basename(file)}.backup-`
  const copies = readdirSync(folder).filter((name) => name.startsWith(prefix) && !isBeside(name))
  const finished = copies.filter((name) => !isUnfinished(name)).toSorted()
  for (const name of copies.filter((each) => isOver(each, finished)))
    for (const end of ['', ...BESIDE]) rmSync(join(folder, `${name}${end}`), { force: true })
}

/** Left by a process that was killed while it copied. */
const isUnfinished = (name: string) => name.includes(UNFINISHED)

/** Left by a program that has read a copy. */
const BESIDE = ['-wal', '-shm'] as const
const isBeside = (name: string) => BESIDE.some((end) => name.endsWith(end))
