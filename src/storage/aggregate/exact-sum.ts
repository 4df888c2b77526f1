/** Terms from here on are whole numbers, and partial sums of smaller ones stay far from the end of doubles. */
const HUGE = 2 ** 900

/**
 * A sum of doubles that is exact until it is read: it is rounded once, so it does not depend on the order of its terms
 * (Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997: non-overlapping partial sums).
 */
export class ExactSum {
  private partials: number[] = []
  /** Huge terms may leave the range of doubles together and come back, in whatever order they come. */
  private huge = 0n

  add(term: number): void {
    if (Math.abs(term) >= HUGE) {
      this.huge += BigInt(term)
      return
    }
    let x = term
    const partials: number[] = []
    for (const each of this.partials) {
      const [large, small] = Math.abs(x) < Math.abs(each) ? [each, x] : [x, each]
      const sum = large + small
      const rest = small - (sum - large)
      if (rest !== 0) partials.push(rest)
      x = sum
    }
    partials.push(x)
    this.partials = partials
  }

  /** The same as adding `term` this many times. */
  addTimes(term: number, times: number): void {
    if (Math.abs(term) >= HUGE) {
      this.huge += BigInt(term) * BigInt(times)
      return
    }
    const product = term * times
    this.add(product)
    const rest = productError(term, times, product)
    if (rest !== 0) this.add(rest)
  }

  /** The average of `n` terms, which is within the range of doubles also where their sum is beyond it. */
  mean(n: number): number {
    const { value } = this
    return Number.isFinite(value) ? value / n : Number(this.whole / BigInt(n))
  }

  /** Where terms were huge; what small ones have behind the point is nothing beside them. */
  private get whole(): bigint {
    return this.partials.reduce((sum, each) => sum + BigInt(Math.trunc(each)), this.huge)
  }

  /** Rounded to the nearest double; ±Infinity where it is beyond all of them. */
  get value(): number {
    const { partials, huge } = this
    if (huge !== 0n) return Number(this.whole)
    let at = partials.length - 1
    let high = partials[at] ?? 0
    let low = 0
    while (at > 0) {
      const x = high
      const y = partials[--at]!
      high = x + y
      low = y - (high - x)
      if (low !== 0) break
    }
    // Half-way cases are decided by what lies below.
    const below = partials[at - 1]
    if (at > 0 && below !== undefined && low < 0 === below < 0) {
      const y = low * 2
      const x = high + y
      if (y === x - high) high = x
    }
    return high
  }
}

/** 2^27 + 1: splits a double into two halves whose products are exact (Dekker, 1971). */
const SPLITTER = 134_217_729

function productError(a: number, b: number, product: number): number {
  const [aHigh, aLow] = halves(a)
  const [bHigh, bLow] = halves(b)
  const error = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
  return Number.isFinite(error) ? error : 0
}

function halves(x: number): [number, number] {
  const scaled = x * SPLITTER
  const high = scaled - (scaled - x)
  return [high, x - high]
}
