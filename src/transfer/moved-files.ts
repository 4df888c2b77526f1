import { existsSync } from 'node:fs'
import { link, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FilesConfig } from '#src/config/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import { blobFault, type KnownBlob } from '#src/files/blob-fault.ts'
import { type FileStore, MissingBlob, type StoredBlob } from '#src/files/file-store.ts'
import { blobPath, FolderStore, syncFolder } from '#src/files/folder-store.ts'
import { openStore } from '#src/files/open-store.ts'
import { makeFolders } from '#src/process/make-folders.ts'
import type { Db } from '#src/sql/query.ts'
import { listContents } from '#src/storage/files/files.ts'

/** Where the files of an export or a copy are, laid out as the folder of FILES. */
export const filesBeside = (file: string): string => `${file}.files`

export interface MovedFiles {
  /** Bytes of files that belong to it, each once. */
  contents: number
  /** Of those, what had to be copied. */
  copied: number
  /** Ids of blobs that are not there: their files were removed meanwhile, or lost. */
  missing: string[]
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
  const moved: MovedFiles = { contents: 0, copied: 0, missing: [] }
  for await (const { blob, size } of contentsOf(db)) {
    moved.contents++
    if ((await sizeOf(join(folder, blobPath(blob)))) === size) continue
    if (before !== undefined && (await linked(before, folder, blob, size))) continue
    if (await copied(from, to, blob)) moved.copied++
    else moved.missing.push(blob)
  }
  if (moved.contents) await rm(join(folder, 'tmp'), { recursive: true, force: true })
  return moved
}

/** Brings what lies next to an export or a copy into the store; what it has already stays. */
export async function copyFilesIn(config: FilesConfig, file: string): Promise<number> {
  const from = new FolderStore(filesBeside(file))
  return existsSync(from.place) ? bringIn(config, from, from.list()) : 0
}

/** Brings these from another store; what is not there is left out. */
export async function bringIn(
  config: FilesConfig,
  from: FileStore,
  blobs: AsyncIterable<StoredBlob>,
): Promise<number> {
  const to = openStore(config)
  const there = await sizesIn(to)
  let count = 0
  for await (const { blob } of blobs) if (!there.has(blob) && (await copied(from, to, blob))) count++
  return count
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
export async function copyContents(
  db: Db,
  config: FilesConfig,
  to: FileStore,
): Promise<Pick<MovedFiles, 'missing'>> {
  const [from, there] = [openStore(config), await sizesIn(to)]
  const sent: StoredBlob[] = []
  const missing: string[] = []
  for await (const { blob, size } of contentsOf(db)) {
    if (there.get(blob) === size) continue
    if (await copied(from, to, blob)) sent.push({ blob, size })
    else missing.push(blob)
  }
  if (!sent.length) return { missing }
  const now = await sizesIn(to)
  const wrong = sent.find(({ blob, size }) => now.get(blob) !== size)
  if (wrong)
    throw unavailable(`${to.place} has ${now.get(wrong.blob) ?? 0} of ${wrong.size} bytes of ${wrong.blob}`)
  return { missing }
}

/** Of these contents, those that came neither with the export nor were in the store before. */
export async function missingAfterImport(
  config: FilesConfig,
  file: string,
  contents: readonly KnownBlob[],
): Promise<string[]> {
  const { missing } = await faultsOfFiles(file, contents, false)
  if (!missing.length) return []
  const [there, sizes] = [await sizesIn(openStore(config)), new Map(contents.map((c) => [c.blob, c.size]))]
  return missing.filter((blob) => there.get(blob) !== sizes.get(blob))
}

/** What is wrong with the files next to a copy. */
export interface FaultsBeside {
  /** Not there, or not of their size. */
  missing: string[]
  damaged: string[]
}

/** Looks for the files that belong to a copy; `whole` reads each to its end. */
export async function faultsOfFiles(
  file: string,
  contents: AsyncIterable<KnownBlob> | Iterable<KnownBlob>,
  whole: boolean,
): Promise<FaultsBeside> {
  const store = new FolderStore(filesBeside(file))
  const faults: FaultsBeside = { missing: [], damaged: [] }
  for await (const content of contents) {
    const found = await sizeOf(join(store.place, blobPath(content.blob)))
    const fault = found !== content.size ? 'missing' : whole ? await blobFault(store, content) : null
    if (fault) faults[fault].push(content.blob)
  }
  return faults
}

async function copied(from: FileStore, to: FileStore, blob: string): Promise<boolean> {
  try {
    await to.put(blob, await from.open(blob))
    return true
  } catch (error) {
    if (error instanceof MissingBlob) return false
    throw error
  }
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
