/** A seeded source of chance (mulberry32): the same seed gives the same data on every machine. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  /** As `pick`, but the first are picked far more often than the last. */
  pickSkewed<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() ** 3 * list.length)]!
  }

  /** Up to `most` different elements, in the order of the list. */
  some<T>(list: readonly T[], most: number): T[] {
    const chosen = new Set<T>()
    for (let left = this.below(most + 1); left > 0; left--) chosen.add(this.pick(list))
    return list.filter((each) => chosen.has(each))
  }
}
