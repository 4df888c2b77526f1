/**
 * Where a word occurs among the documents of a part, as bytes: first the last document (two bytes), then of each the
 * distance from the one before and its counts (one byte). To append takes no look at what is there.
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

/** The block with postings behind those that it has; all of their documents come later. */
export function appendPostings(block: Uint8Array | undefined, postings: readonly Posting[]): Buffer {
  let last = block ? block[0]! | (block[1]! << 8) : -1
  const bytes: number[] = []
  for (const { document, counts } of postings) {
    let distance = document - last
    while (distance > LOW) {
      bytes.push((distance & LOW) | CONTINUED)
      distance >>>= 7
    }
    bytes.push(distance, counts)
    last = document
  }
  const before = block ? block.length - HEAD : 0
  const joined = Buffer.alloc(HEAD + before + bytes.length)
  if (block) joined.set(block.subarray(HEAD), HEAD)
  joined.set(bytes, HEAD + before)
  joined[0] = last & 0xff
  joined[1] = last >>> 8
  return joined
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
  return left.length ? appendPostings(undefined, left) : undefined
}
