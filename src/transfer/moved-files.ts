import { link, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FilesConfig } from '#src/config/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import { blobFault, copyBlob, type FileFaults, type KnownBlob } from '#src/files/blob-fault.ts'
import type { FileStore, StoredBlob } from '#src/files/file-store.ts'
import { blobPath, FolderStore, syncFolder } from '#src/files/folder-store.ts'
import { openStore } from '#src/files/open-store.ts'
import { makeFolders } from '#src/process/make-folders.ts'
import type { Db } from '#src/sql/query.ts'
import { listContents } from '#src/storage/files/files.ts'

/** Where the files of an export or a copy are, laid out as the folder of FILES. */
export const filesBeside = (file: string): string => `${file}.files`

/** What of it the store did not have as it was is missing in it. */
export interface MovedFiles extends FileFaults {
  /** Bytes of files that belong to it, each once. */
  contents: number
  /** Of those, what had to be copied. */
  copied: number
}

const PAGE = 500

/**
 * Puts the bytes of all files of a base next to its export or copy; what is there already stays, and what `before` (an
 * earlier folder on the same disk) has is linked.
 */
export async function copyFilesOut(
  db: Db,
  config: FilesConfig,
  file: string,
  before?: string,
): Promise<MovedFiles> {
  const folder = filesBeside(file)
  const [from, to] = [openStore(config), new FolderStore(folder)]
  const moved: MovedFiles = { contents: 0, copied: 0, missing: [], damaged: [] }
  for await (const content of contentsOf(db)) {
    const { blob, size } = content
    moved.contents++
    if ((await sizeOf(join(folder, blobPath(blob)))) === size) continue
    if (before !== undefined && (await linked(before, folder, blob, size))) continue
    if (await copied(from, to, content, moved)) moved.copied++
  }
  if (moved.contents) await rm(join(folder, 'tmp'), { recursive: true, force: true })
  return moved
}

/** What became of the files of a base that is brought in. */
export interface BroughtFiles extends FileFaults {
  /** Where they were looked for. */
  from: string
  brought: number
}

/** Where the files of an export or a copy on this machine are brought from. */
export const storeBeside = (file: string): FileStore => new FolderStore(filesBeside(file))

/** Brings the bytes of all files of a base into its store; what that has already, of the right size, stays. */
export async function bringFilesIn(
  config: FilesConfig,
  from: FileStore,
  contents: Iterable<KnownBlob>,
): Promise<BroughtFiles> {
  const to = openStore(config)
  const there = await sizesIn(to)
  const brought: BroughtFiles = { from: from.place, brought: 0, missing: [], damaged: [] }
  for (const content of contents) {
    if (there.get(content.blob) === content.size) continue
    if (await copied(from, to, content, brought)) brought.brought++
  }
  return brought
}

/** What a store has, by its name. */
export async function sizesIn(store: FileStore): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { blob, size } of store.list()) sizes.set(blob, size)
  return sizes
}

/** The bytes that files of a base have, in the order in which they came. */
export async function* contentsOf(db: Db): AsyncGenerator<KnownBlob> {
  for (let after = 0, more = true; more;) {
    const page = await listContents(db, after, PAGE)
    yield* page
    after = page.at(-1)?.id ?? after
    more = page.length === PAGE
  }
}

/** Puts the bytes of all files of a base into a store; what it has already stays. */
export async function copyContents(db: Db, config: FilesConfig, to: FileStore): Promise<FileFaults> {
  const [from, there] = [openStore(config), await sizesIn(to)]
  const sent: StoredBlob[] = []
  const faults: FileFaults = { missing: [], damaged: [] }
  for await (const content of contentsOf(db)) {
    const { blob, size } = content
    if (there.get(blob) === size) continue
    if (await copied(from, to, content, faults)) sent.push({ blob, size })
  }
  if (!sent.length) return faults
  const now = await sizesIn(to)
  const wrong = sent.find(({ blob, size }) => now.get(blob) !== size)
  if (wrong)
    throw unavailable(`${to.place} has ${now.get(wrong.blob) ?? 0} of ${wrong.size} bytes of ${wrong.blob}`)
  return faults
}

/** False: what is wrong with it is among the faults. */
async function copied(
  from: FileStore,
  to: FileStore,
  content: KnownBlob,
  faults: FileFaults,
): Promise<boolean> {
  const fault = await copyBlob(from, to, content)
  if (fault) faults[fault].push(content.blob)
  return fault === null
}

/** Reads each of the files that belong to a copy to its end. */
export async function faultsIn(store: FileStore, contents: Iterable<KnownBlob>): Promise<FileFaults> {
  const faults: FileFaults = { missing: [], damaged: [] }
  for (const content of contents) {
    const fault = await blobFault(store, content)
    if (fault) faults[fault].push(content.blob)
  }
  return faults
}

/** False where it is not there, or on another disk. */
async function linked(before: string, folder: string, blob: string, size: number): Promise<boolean> {
  const [source, target] = [join(before, blobPath(blob)), join(folder, blobPath(blob))]
  if ((await sizeOf(source)) !== size) return false
  try {
    await makeFolders(dirname(target))
    await link(source, target)
    await syncFolder(dirname(target))
    return true
  } catch {
    return false
  }
}

const sizeOf = async (path: string): Promise<number | null> =>
  (await stat(path).catch(() => null))?.size ?? null

/** Of several copies in a folder, the newest that has files next to it. */
export async function newestFilesIn(
  folder: string,
  isCopy: (name: string) => boolean,
): Promise<string | undefined> {
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith('.files') && isCopy(name.slice(0, -'.files'.length)),
  )
  const newest = names.toSorted().at(-1)
  return newest === undefined ? undefined : join(folder, newest)
}
