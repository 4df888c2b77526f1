import type { Engine } from '#src/engine/engine.ts'

const MAX_TOKENS = 10_000

/** What was found by token at a version of the database; the next write that is answered drops it. Most requests are reads. */
export class KnownTokens<T extends object> {
  private readonly byEngine = new WeakMap<Engine, { version: number | null; found: Map<string, T> }>()

  async find(engine: Engine, token: string, lookUp: () => Promise<T | null>): Promise<T | null> {
    const version = engine.version()
    let known = this.byEngine.get(engine)
    if (!known || known.version !== version || known.found.size >= MAX_TOKENS)
      this.byEngine.set(engine, (known = { version, found: new Map() }))
    const remembered = known.found.get(token)
    if (remembered) return remembered
    const found = await lookUp()
    if (found && version !== null) known.found.set(token, found)
    return found
  }
}
