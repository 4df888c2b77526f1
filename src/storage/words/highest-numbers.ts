/** The highest so many numbers of all that it is given: a heap with the lowest of them at its top. */
export class HighestNumbers {
  private readonly heap: Float64Array
  private size = 0

  constructor(most: number) {
    this.heap = new Float64Array(most)
  }

  get lowest(): number {
    return this.size ? this.heap[0]! : Infinity
  }

  /** There are so many, and what is lower than all of them is none. */
  get isFull(): boolean {
    return this.size === this.heap.length
  }

  take(key: number): void {
    const { heap } = this
    if (this.size < heap.length) {
      let at = this.size++
      for (let above = (at - 1) >> 1; at && heap[above]! > key; above = (at - 1) >> 1) {
        heap[at] = heap[above]!
        at = above
      }
      heap[at] = key
    } else if (key > heap[0]!) this.sink(key)
  }

  private sink(key: number): void {
    const { heap, size } = this
    let at = 0
    for (let below = 1; below < size; below = 2 * at + 1) {
      if (below + 1 < size && heap[below + 1]! < heap[below]!) below++
      if (heap[below]! >= key) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = key
  }
}
