/** Milliseconds in which a document that could not be fetched is not asked for again. */
const PAUSE = 5000
const MAX_KEPT = 1000

/** The library asks for a document twice in a request; one that does not answer would be waited for twice. */
export class FailedDocuments {
  private readonly clock: () => number
  private readonly failures = new Map<string, { at: number; error: unknown }>()

  constructor(clock: () => number) {
    this.clock = clock
  }

  /** @throws what `fetch` throws, or threw a moment ago */
  async unlessFailed<T>(url: string, fetch: () => Promise<T>): Promise<T> {
    const failure = this.failures.get(url)
    if (failure && Math.abs(this.clock() - failure.at) < PAUSE) throw failure.error
    this.failures.delete(url)
    try {
      return await fetch()
    } catch (error) {
      if (this.failures.size >= MAX_KEPT) this.failures.clear()
      this.failures.set(url, { at: this.clock(), error })
      throw error
    }
  }
}
