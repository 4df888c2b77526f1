/**
 * Where a word occurs among the documents of a part, as bytes: first the last document (two bytes), then of each the
 * distance from the one before and its counts (one byte). To append takes no look at what is there but the last.
 */
export interface Posting {
  /** Its place in the part. */
  document: number
  /** As `encodeCounts` makes it. */
  counts: number
}

const HEAD = 2
const CONTINUED = 0x80
const LOW = 0x7f

/** The block of these postings, which are in the order of their documents. */
export function blockOf(postings: readonly Posting[]): Buffer {
  let last = -1
  const bytes: number[] = [0, 0]
  for (const { document, counts } of postings) {
    pushDistance(bytes, document - last)
    bytes.push(counts)
    last = document
  }
  return withLast(Buffer.from(bytes), last)
}

function pushDistance(bytes: number[], distance: number): void {
  for (; distance > LOW; distance >>>= 7) bytes.push((distance & LOW) | CONTINUED)
  bytes.push(distance)
}

const lastOf = (block: Uint8Array): number => block[0]! | (block[1]! << 8)

function withLast(block: Buffer, last: number): Buffer {
  block[0] = last & 0xff
  block[1] = last >>> 8
  return block
}

/** The block with the postings of another behind its own: all of their documents come later. */
export function appendBlock(block: Uint8Array | undefined, added: Uint8Array): Uint8Array {
  if (!block) return added
  const { distance, end } = readDistance(added, HEAD)
  const between: number[] = []
  pushDistance(between, distance - 1 - lastOf(block))
  return withLast(Buffer.concat([block, Buffer.from(between), added.subarray(end)]), lastOf(added))
}

function readDistance(block: Uint8Array, at: number): { distance: number; end: number } {
  let distance = 0
  for (let shift = 0; ; shift += 7) {
    const byte = block[at++]!
    distance |= (byte & LOW) << shift
    if (byte < CONTINUED) return { distance, end: at }
  }
}

/**
 * Reads a block into arrays that have room for a whole part, in the order of the documents; how many postings it has.
 * This is what a search of a common word spends its time on.
 */
export function readPostings(block: Uint8Array, documents: Uint16Array, counts: Uint8Array): number {
  let document = -1
  let n = 0
  for (let at = HEAD; at < block.length; n++) {
    let byte = block[at++]!
    if (byte < CONTINUED) document += byte
    else {
      let distance = byte & LOW
      for (let shift = 7; byte >= CONTINUED; shift += 7) {
        byte = block[at++]!
        distance |= (byte & LOW) << shift
      }
      document += distance
    }
    documents[n] = document
    counts[n] = block[at++]!
  }
  return n
}

/** The postings that are to stay, in a block of their own; undefined where none is, the block itself where all are. */
export function keepPostings(
  block: Uint8Array,
  stays: (document: number) => boolean,
): Uint8Array | undefined {
  const documents = new Uint16Array(block.length)
  const counts = new Uint8Array(block.length)
  const left: Posting[] = []
  const n = readPostings(block, documents, counts)
  for (let i = 0; i < n; i++)
    if (stays(documents[i]!)) left.push({ document: documents[i]!, counts: counts[i]! })
  if (left.length === n) return block
  return left.length ? blockOf(left) : undefined
}
