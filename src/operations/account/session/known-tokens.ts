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

/**
 * In which minute a key or an app was last noted as used by this process. Where nothing is remembered between requests
 * (other processes write too) those of one moment all read the minute before; one of them writes.
 */
export class NotedUses {
  private readonly byEngine = new WeakMap<Engine, { minute: string; ids: Set<string> }>()

  /** Once a minute for each id; `last_used_at` is what the database says. */
  isDue(engine: Engine, id: string, last_used_at: string | null, minute: string): boolean {
    if ((last_used_at ?? '') >= minute) return false
    let noted = this.byEngine.get(engine)
    if (noted?.minute !== minute) this.byEngine.set(engine, (noted = { minute, ids: new Set() }))
    if (noted.ids.has(id)) return false
    noted.ids.add(id)
    return true
  }
}
