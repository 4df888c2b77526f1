/**
 * Numbers the different doubles that it is asked for from 0, in the order in which they come: a hash table with open
 * addressing over arrays of numbers. A `Map` of as many makes an object of each for the collector of garbage, and is
 * several times as slow.
 */
export class NumberTable {
  /** Those that it has numbered, in order. */
  readonly numbers: number[] = []
  private readonly numberIn: Float64Array<ArrayBuffer>
  /** One more than the position of what is in a slot; 0 of an empty one. */
  private readonly positionIn: Int32Array<ArrayBuffer>
  private readonly bits = new Int32Array(2)
  private readonly double = new Float64Array(this.bits.buffer)

  /** `most` different ones at the most; NaN is none. */
  constructor(most: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * most + 2))
    this.numberIn = new Float64Array(slots)
    this.positionIn = new Int32Array(slots)
  }

  positionOf(number: number): number {
    const { numberIn, positionIn } = this
    const last = positionIn.length - 1
    let slot = this.hashOf(number) & last
    while (positionIn[slot] && numberIn[slot] !== number) slot = (slot + 1) & last
    if (!positionIn[slot]) {
      numberIn[slot] = number
      positionIn[slot] = this.numbers.push(number)
    }
    return positionIn[slot]! - 1
  }

  /** Its memory lies outside of the heap, and would wait there for a collection that it hastens. */
  free(): void {
    this.numberIn.buffer.transfer(0)
    this.positionIn.buffer.transfer(0)
  }

  /** Mixes the bits (the finalizer of MurmurHash3), so that neighbours do not share slots. */
  private hashOf(number: number): number {
    this.double[0] = number + 0 // one zero, as for ===
    let hash = this.bits[0]! ^ this.bits[1]!
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    return hash ^ (hash >>> 16)
  }
}
