import { mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those that it is in. Node's own `recursive` never ends, and keeps a thread busy, where the system
 * says of a folder that is there that it is not, as `/proc` does.
 * @returns the first one that was not there; undefined: all were
 */
export async function makeFolders(folder: string): Promise<string | undefined> {
  if (await isFolder(folder)) return undefined
  const above = dirname(folder)
  const first = above === folder ? undefined : await makeFolders(above)
  try {
    await mkdir(folder)
  } catch (error) {
    // Another one was quicker.
    if (await isFolder(folder)) return first
    throw error
  }
  return first ?? folder
}

/** The same for what waits for it. */
export function makeFoldersSync(folder: string, mode: number): void {
  if (isFolderNow(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFoldersSync(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (!isFolderNow(folder)) throw error
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false
const isFolderNow = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
