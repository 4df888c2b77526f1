import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { conflict } from '#src/domain/errors.ts'

/** What is moved may hold secrets. */
const OWNER_ONLY = 0o600

/** Makes a file that is under its name only when it is whole. @throws Conflict where there is one already */
export async function makeFile(file: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  if (existsSync(file)) throw exists(file)
  const unfinished = `${file}.unfinished`
  rmSync(unfinished, { force: true })
  closeSync(openSync(unfinished, 'wx', OWNER_ONLY))
  try {
    await make(unfinished)
    const descriptor = openSync(unfinished, 'r+')
    fsyncSync(descriptor)
    closeSync(descriptor)
    claim(file)
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Renaming alone would overwrite what somebody else has made meanwhile. */
function claim(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY))
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? exists(file) : error
  }
}

const exists = (file: string) =>
  conflict(`${file} exists already and is left as it is`, { suggestion: 'Choose another name, or remove it' })
