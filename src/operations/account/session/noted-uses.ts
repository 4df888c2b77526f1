import type { Engine } from '#src/engine/engine.ts'

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
