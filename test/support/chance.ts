/** Chance from a seed (mulberry32): the same seed gives the same numbers. */
export class Chance {
  private state: number
  constructor(seed: number) {
    this.state = seed | 0
  }

  /** From 0 to 1. */
  readonly next = (): number => {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** True so often. */
  is(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }
}

/**
 * The seed of tests that kill, disturb or wait at random moments. It is in their names, so that a failure shows it; with
 * TEST_SEED the same moments come again.
 */
export const TEST_SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31)
