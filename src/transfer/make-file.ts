import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { conflict } from '#src/domain/errors.ts'

/** What is moved may hold secrets. */
const OWNER_ONLY = 0o600

/** Makes a file that is under its name only when it is whole. @throws Conflict where there is one already */
export async function makeFile(file: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  if (existsSync(file)) throw exists(file)
  statSync(dirname(file)) // What the system says of a folder that is not there names the folder.
  const unfinished = `${file}.unfinished`
  rmSync(unfinished, { force: true })
  closeSync(openSync(unfinished, 'wx', OWNER_ONLY))
  try {
    await make(unfinished)
    const descriptor = openSync(unfinished, 'r+')
    fsyncSync(descriptor)
    closeSync(descriptor)
    claim(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** One step of the file system: a kill leaves the whole file under its name or none. Renaming would overwrite another's. */
function claim(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw exists(file)
    if (!NO_LINKS.has(code ?? '')) throw error
    if (existsSync(file)) throw exists(file)
    renameSync(unfinished, file)
  }
}

/** How file systems without hard links (FAT, some of networks) refuse one. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

const exists = (file: string) =>
  conflict(`${file} exists already and is left as it is`, { suggestion: 'Choose another name, or remove it' })
