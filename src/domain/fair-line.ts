/** A queue that is round-robin by key, one entry each: a flood from one key costs another no more than one place. */
export class FairLine<T> {
  private readonly lines = new Map<string, Set<T>>()
  size = 0

  /** At the end of the key's own line. */
  add(key: string, waiting: T): void {
    const line = this.lines.get(key) ?? new Set()
    this.lines.set(key, line.add(waiting))
    this.size++
  }

  /** Whether it was still waiting. */
  remove(key: string, waiting: T): boolean {
    const line = this.lines.get(key)
    if (!line?.delete(waiting)) return false
    if (!line.size) this.lines.delete(key)
    this.size--
    return true
  }

  /** The first of each key, in their turn. */
  *heads(): Generator<[key: string, waiting: T]> {
    for (const [key, [first]] of this.lines) yield [key, first!]
  }

  /** The next whose key `may` go on. */
  first(may: (key: string) => boolean = () => true): T | undefined {
    for (const [key, line] of this.lines) if (may(key)) return line.values().next().value
    return undefined
  }

  /** The next whose key `may` go on, taken out of the line. */
  next(may: (key: string) => boolean = () => true): T | undefined {
    for (const [key, line] of this.lines) {
      if (!may(key)) continue
      const [first] = line
      this.take(key, first!)
      return first
    }
    return undefined
  }

  /** Takes one out, whose turn it was: the other keys come before what its own still has. */
  take(key: string, waiting: T): void {
    const line = this.lines.get(key)
    if (!this.remove(key, waiting) || !line?.size) return
    this.lines.delete(key)
    this.lines.set(key, line)
  }

  *[Symbol.iterator](): Generator<[key: string, waiting: T]> {
    for (const [key, line] of this.lines) for (const each of line) yield [key, each]
  }
}
