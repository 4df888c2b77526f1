/**
 * Notifies anyone who holds something open for a session or a key (a stream) that it has ended, in this process or in
 * another one.
 */
export class SessionWatch {
  private readonly listeners = new Map<string, Set<() => void>>()
  private readonly tellOthers: (token_hashes: readonly string[]) => void

  /** `tellOthers` lets the other processes know, if there are any. */
  constructor(tellOthers: (token_hashes: readonly string[]) => void = () => {}) {
    this.tellOthers = tellOthers
  }

  /** `listener` is called once at the most. Returns what takes it back. */
  onEnd(token_hash: string, listener: () => void): () => void {
    const known = this.listeners.get(token_hash) ?? new Set()
    this.listeners.set(token_hash, known.add(listener))
    return () => {
      known.delete(listener)
      if (!known.size && this.listeners.get(token_hash) === known) this.listeners.delete(token_hash)
    }
  }

  /** The tokens by which something is open. */
  watched(): string[] {
    return [...this.listeners.keys()]
  }

  /** These sessions are gone from the database. */
  ended(token_hashes: readonly string[]): void {
    if (token_hashes.length) this.tellOthers(token_hashes)
    this.endedElsewhere(token_hashes)
  }

  /** Another process has ended them. */
  endedElsewhere(token_hashes: readonly string[]): void {
    for (const token_hash of token_hashes) {
      const known = this.listeners.get(token_hash)
      this.listeners.delete(token_hash)
      for (const listener of known ?? []) listener()
    }
  }
}
