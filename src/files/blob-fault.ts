import { createHash } from 'node:crypto'
import { type FileStore, MissingBlob, type StoredBlob } from '#src/files/file-store.ts'

/** What the base knows of the bytes of a file. */
export interface KnownBlob extends StoredBlob {
  sha256: string
}

/** Reads the bytes of a file to their end; null: they are what they were. */
export async function blobFault(
  store: FileStore,
  { blob, size, sha256 }: KnownBlob,
): Promise<'missing' | 'damaged' | null> {
  const hash = createHash('sha256')
  let read = 0
  try {
    for await (const chunk of await store.open(blob)) {
      hash.update(chunk as Buffer)
      read += (chunk as Buffer).length
    }
  } catch (error) {
    if (error instanceof MissingBlob) return 'missing'
    throw error
  }
  return read === size && hash.digest('hex') === sha256 ? null : 'damaged'
}

const NAMED = 3

/** How many files something is true of, some of them by name, to look for; empty: none. */
export const blobsInWords = (what: string, blobs: readonly string[]): string[] =>
  blobs.length
    ? [
        `${blobs.length} of its files ${what}: ${blobs.slice(0, NAMED).join(', ')}${blobs.length > NAMED ? ', …' : ''}`,
      ]
    : []

/** The same of those whose bytes are not in a store. */
export const missingInWords = (place: string, missing: readonly string[]): string[] =>
  blobsInWords(`are not in ${place}`, missing).map(
    (each) => `${each}. facet files verify says which they are`,
  )
