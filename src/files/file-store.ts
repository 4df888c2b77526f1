import type { Readable } from 'node:stream'

/** Bytes `start` to `end`, both of them included. */
export interface ByteRange {
  start: number
  end: number
}

/** What a store has under a name. */
export interface StoredBlob {
  blob: string
  size: number
}

/**
 * Where the bytes of files are. A blob is written once under a name of its own (a ULID) and never changed; what is there
 * under a name is whole, whenever a process dies.
 */
export interface FileStore {
  /** For people: the folder or the bucket. */
  readonly place: string
  /**
   * Of `content` no piece is kept when the next one is asked for.
   * @throws what `content` throws, and InsufficientStorage where there is no room; nothing of the blob stays then
   */
  put(blob: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** @throws MissingBlob */
  open(blob: string, range?: ByteRange): Promise<Readable>
  /** Whether it was there or not. */
  remove(blob: string): Promise<void>
  list(): AsyncIterable<StoredBlob>
  /** Null: there is none, or an empty one. */
  readMark(name: Mark): Promise<string | null>
  writeMark(name: Mark, mark: string): Promise<void>
  /** Removes what uploads have left that were cut off before that time. */
  sweepHalves(before: Date): Promise<void>
}

/** Whose a store is, and when another base has last used it; no blob has such a name. */
export type Mark = 'facet-owner' | 'facet-others'

/** The store does not have what the base says that it has. */
export class MissingBlob extends Error {
  constructor(blob: string, place: string, options?: ErrorOptions) {
    super(`${place} has no '${blob}'`, options)
    this.name = 'MissingBlob'
  }
}
