import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, opendir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { insufficientStorage, unavailable } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import {
  type ByteRange,
  type FileStore,
  type Mark,
  MissingBlob,
  type StoredBlob,
} from '#src/files/file-store.ts'
import { inBatches } from '#src/files/in-batches.ts'
import { makeFolders } from '#src/process/make-folders.ts'
import { isDiskFull } from '#src/process/disk-full.ts'

/** Where what is not whole yet is. */
const HALVES = 'tmp'
/** Bytes that are written at once. */
const BATCH = 256 * 1024
/** Bytes that are read at once. */
const READ = 256 * 1024

/** A blob is in a folder named after its last two characters, which are random: `KX/01J…KX`. */
export const blobPath = (blob: string): string => join(blob.slice(-2), blob)

/** Files in a folder of this machine, or one that is mounted. */
export class FolderStore implements FileStore {
  readonly place: string

  /** What it is called by those who may not know where it is. */
  private readonly named: string

  constructor(folder: string, named = folder) {
    this.place = folder
    this.named = named
  }

  async put(blob: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const half = join(this.place, HALVES, halfName(blob))
    const target = join(this.place, blobPath(blob))
    try {
      await makeFolders(dirname(half))
      await writeWhole(half, content)
      const made = await makeFolders(dirname(target))
      await rename(half, target)
      await syncFolder(dirname(target))
      // A folder is there after a power cut only where the one that it is in was written too.
      if (made !== undefined) await syncFolder(dirname(made))
    } catch (error) {
      await rm(half, { force: true }).catch(() => undefined)
      throw this.inWords(error)
    }
  }

  async open(blob: string, range?: ByteRange): Promise<Readable> {
    const handle = await open(join(this.place, blobPath(blob))).catch((error: unknown) => {
      if (isMissing(error)) throw new MissingBlob(blob, this.place, { cause: error })
      throw isRefused(error)
        ? unavailable(`The file cannot be read: ${this.named} is not open to this user`, REMEDY)
        : error
    })
    return createReadStream('', { fd: handle, highWaterMark: READ, ...range })
  }

  private inWords(error: unknown): unknown {
    if (isDiskFull(error))
      return insufficientStorage('There is no room for this file: nothing was kept', {
        suggestion: `Free space in ${this.named}, and send it again`,
      })
    return isRefused(error)
      ? unavailable(`No file can be kept: ${this.named} cannot be written`, REMEDY)
      : error
  }

  async remove(blob: string): Promise<void> {
    await rm(join(this.place, blobPath(blob)), { force: true })
  }

  async *list(): AsyncIterable<StoredBlob> {
    for await (const folder of filesIn(this.place)) {
      if (folder === HALVES) continue
      for await (const blob of filesIn(join(this.place, folder))) {
        if (parseUlid(blob) !== blob || !blobPath(blob).startsWith(folder)) continue
        const found = await stat(join(this.place, folder, blob)).catch(() => null)
        if (found) yield { blob, size: found.size }
      }
    }
  }

  async readMark(name: Mark): Promise<string | null> {
    return readFile(join(this.place, name), 'utf8').then(
      (text) => text.trim() || null,
      (error: unknown) => {
        if (isMissing(error)) return null
        throw error
      },
    )
  }

  async writeMark(name: Mark, mark: string): Promise<void> {
    const half = join(this.place, HALVES, halfName(name))
    await makeFolders(dirname(half))
    await writeWhole(half, Readable.from([Buffer.from(`${mark}\n`)]))
    await rename(half, join(this.place, name))
    await syncFolder(this.place)
  }

  async sweepHalves(before: Date): Promise<void> {
    for await (const name of filesIn(join(this.place, HALVES))) {
      const path = join(this.place, HALVES, name)
      const found = await stat(path).catch(() => null)
      if (found && found.mtime < before) await unlink(path).catch(() => undefined)
    }
  }
}

/** Of this attempt alone: a killed one has left its own, and another process may be writing the same bytes. */
const halfName = (name: string): string => `${name}-${randomBytes(6).toString('hex')}`

/** Bytes go out in batches, one behind the other, while the next ones come in. */
async function writeWhole(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    let writing: Promise<unknown> = Promise.resolve()
    for await (const batch of inBatches(content, () => BATCH, 2)) {
      await writing
      writing = writeAll(handle, batch)
      // Whoever waits for it next learns what went wrong.
      writing.catch(() => undefined)
    }
    await writing
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** `write` may write less than it is given. */
async function writeAll(handle: FileHandle, batch: Uint8Array): Promise<void> {
  for (let at = 0; at < batch.length;) at += (await handle.write(batch, at)).bytesWritten
}

async function* filesIn(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return null
    throw error
  })
  if (entries) for await (const { name } of entries) yield name
}

const REMEDY = { suggestion: 'It must be a folder that the user of the service can read and write' }

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'])
/** It is no folder (EEXIST where one is to be made), or not one of this user. */
const isRefused = (error: unknown) => REFUSALS.has((error as NodeJS.ErrnoException).code ?? '')

/** A name is there after a power cut only where its folder was written too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
