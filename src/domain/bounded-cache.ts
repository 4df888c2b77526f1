export interface CacheBounds {
  /** Entries. */
  entries: number
  /** Of all entries together, as `size` gives it. */
  size: number
  /** Milliseconds for which an entry is kept that nobody asks for. */
  unused: number
}

interface Cached<V> {
  readonly value: V
  readonly size: number
  used: number
}

/** What was found, by key: this many entries of so much size, of which the ones that were not used for longest go first. */
export class BoundedCache<V> {
  private readonly bounds: CacheBounds
  private readonly kept = new Map<string, Cached<V>>()
  private held = 0

  constructor(bounds: CacheBounds) {
    this.bounds = bounds
  }

  /** Of all entries. */
  get size(): number {
    return this.held
  }

  get entries(): number {
    return this.kept.size
  }

  get(key: string): V | undefined {
    const found = this.kept.get(key)
    if (!found) return undefined
    found.used = performance.now()
    this.kept.delete(key)
    this.kept.set(key, found) // the last used comes last
    return found.value
  }

  /** What is larger than all entries together may be is not kept. */
  set(key: string, value: V, size: number): void {
    this.drop(key)
    if (size > this.bounds.size) return
    this.kept.set(key, { value, size, used: performance.now() })
    this.held += size
    this.dropOld()
  }

  clear(): void {
    this.kept.clear()
    this.held = 0
  }

  private drop(key: string): void {
    this.held -= this.kept.get(key)?.size ?? 0
    this.kept.delete(key)
  }

  private dropOld(): void {
    const { entries, size, unused } = this.bounds
    const since = performance.now() - unused
    for (const [key, { used }] of this.kept) {
      if (this.kept.size <= entries && this.held <= size && used >= since) return
      this.drop(key)
    }
  }
}
