import { createHash } from 'node:crypto'
import { type FileStore, MissingBlob, type StoredBlob } from '#src/files/file-store.ts'

/** What the base knows of the bytes of a file. */
export interface KnownBlob extends StoredBlob {
  sha256: string
}

/** Blobs of a base that are not where they were looked for, and those that are other bytes there than they were. */
export interface FileFaults {
  missing: string[]
  damaged: string[]
}

/** What is wrong with one of them; null: nothing. */
export type BlobFault = keyof FileFaults | null

/** Reads the bytes of a file to their end. */
export const blobFault = (store: FileStore, known: KnownBlob): Promise<BlobFault> =>
  faultOf(async () => {
    for await (const chunk of proven(known, await store.open(known.blob))) void chunk
  })

/** Copies the bytes of a file; of other ones than they were nothing is kept, so that whatever is in a copy is whole. */
export const copyBlob = (from: FileStore, to: FileStore, known: KnownBlob): Promise<BlobFault> =>
  faultOf(async () => {
    const content = await from.open(known.blob)
    try {
      await to.put(known.blob, proven(known, content))
    } finally {
      // What cannot be written is not read either, and would stay open.
      content.destroy()
    }
  })

class DamagedBlob extends Error {}

/** The bytes as they come. @throws DamagedBlob at their end, or after it, where they are not those that are known */
async function* proven(
  { blob, size, sha256 }: KnownBlob,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let read = 0
  for await (const chunk of content) {
    read += chunk.length
    if (read > size) throw new DamagedBlob(blob)
    hash.update(chunk)
    yield chunk
  }
  if (read !== size || hash.digest('hex') !== sha256) throw new DamagedBlob(blob)
}

async function faultOf(work: () => Promise<void>): Promise<BlobFault> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof MissingBlob) return 'missing'
    if (error instanceof DamagedBlob) return 'damaged'
    throw error
  }
}

const NAMED = 3

/** How many files something is true of, some of them by name, to look for; empty: none. */
export const blobsInWords = (what: string, blobs: readonly string[]): string[] =>
  blobs.length
    ? [
        `${blobs.length} of its files ${what}: ${blobs.slice(0, NAMED).join(', ')}${blobs.length > NAMED ? ', …' : ''}`,
      ]
    : []

/** What could not be copied from a place, a sentence for each kind of fault; empty: all was. */
export const faultsInWords = (place: string, { missing, damaged }: FileFaults): string[] =>
  [...blobsInWords(`are not in ${place}`, missing), ...blobsInWords(`are damaged in ${place}`, damaged)].map(
    (each) => `${each}. facet files verify says which they are`,
  )
