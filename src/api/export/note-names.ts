import type { Ulid } from '#src/domain/ulid.ts'
import { nameKey, nameWithId, noteName } from '#src/markdown/note-name.ts'

/** How many notes there can be at first. */
const ROOM = 1024

/**
 * How each note of an export is called: as its item, with the id where another is called alike. Of each item 16 bytes
 * are kept.
 */
export class NoteNames {
  /** Hash of the name, hash of the id. */
  private pairs = new Float64Array(2 * ROOM)
  private count = 0
  private order: Uint32Array | undefined

  add(name: string, item_id: Ulid): void {
    const key = nameKey(name)
    if (key === undefined) return
    if (2 * this.count === this.pairs.length) {
      const larger = new Float64Array(2 * this.pairs.length)
      larger.set(this.pairs)
      this.pairs = larger
    }
    this.pairs[2 * this.count] = hashOf(key)
    this.pairs[2 * this.count + 1] = hashOf(item_id)
    this.count++
  }

  /** Without its ending. */
  nameOf(name: string, item_id: Ulid): string {
    const key = nameKey(name)
    return key !== undefined && this.isAlone(hashOf(key), hashOf(item_id))
      ? noteName(name)
      : nameWithId(name, item_id)
  }

  private isAlone(name: number, id: number): boolean {
    this.order ??= this.sorted()
    const { order, pairs } = this
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[2 * order[middle]!]! < name) low = middle + 1
      else high = middle
    }
    const isOwn = low < this.count && pairs[2 * order[low]!] === name && pairs[2 * order[low]! + 1] === id
    return isOwn && !(low + 1 < this.count && pairs[2 * order[low + 1]!] === name)
  }

  private sorted(): Uint32Array {
    const { pairs } = this
    return Uint32Array.from({ length: this.count }, (_, i) => i).sort((a, b) => pairs[2 * a]! - pairs[2 * b]!)
  }
}

/** 53 bits (cyrb53): what two names share by chance costs an id in a file name. */
function hashOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}
