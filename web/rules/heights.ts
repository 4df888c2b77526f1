/** Measured before the rest is guessed by them. */
const ENOUGH = 8

/** Heights of things in a list, measured as they are drawn; those that nobody has seen are guessed. */
export class Heights {
  private readonly measured = new Map<string, number>()
  private guess: number
  private isGuessed = false

  constructor(guess: number) {
    this.guess = guess
  }

  /** Whether it differs from what was known. */
  set(id: string, height: number): boolean {
    if (this.measured.get(id) === height) return false
    this.measured.set(id, height)
    if (!this.isGuessed && this.measured.size >= ENOUGH) {
      // Once: with each further guess all that is far away would move.
      this.isGuessed = true
      this.guess = [...this.measured.values()].reduce((a, b) => a + b) / this.measured.size
    }
    return true
  }

  /** Where each of them begins, and at last where the list ends. */
  tops(count: number, idAt: (index: number) => string | undefined): Float64Array {
    const tops = new Float64Array(count + 1)
    for (let i = 0; i < count; i++) {
      const id = idAt(i)
      tops[i + 1] = tops[i]! + ((id === undefined ? undefined : this.measured.get(id)) ?? this.guess)
    }
    return tops
  }
}

/** Which one is at this height. */
export function indexAt(tops: Float64Array, y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (tops[middle]! <= y) low = middle
    else high = middle - 1
  }
  return low
}
