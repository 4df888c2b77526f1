import type { TableTarget } from '#src/imports/rows/targets.ts'
import type { NamedRows } from '#src/operations/imports/import-steps.ts'

/** Names that a plan keeps at most: more rows than these do not wait for each other. */
const MOST_NAMES = 10_000

/** What rows with a fault are called, as far as others lead to them, over one check of a file after another. */
export class LeftOutRows {
  private rows = new Map<number, Map<string, number>>()
  private readonly sought = new Set<string>()

  take({ left_out, sought }: NamedRows): void {
    for (const name of sought) this.sought.add(name)
    for (const { t, name } of left_out) {
      const names = this.rows.get(t) ?? this.rows.set(t, new Map()).get(t)!
      names.set(name, (names.get(name) ?? 0) + 1)
    }
  }

  /** Lets targets know of them, and the next check begin; false where they know all of it. What was left out stays so. */
  addTo(targets: readonly TableTarget[]): boolean {
    let isNew = false
    for (const [t, names] of this.rows) {
      const target = targets[t]!
      const known = new Map(target.left_out)
      for (const [name, rows] of names) {
        if (!this.sought.has(name) || rows <= (known.get(name) ?? 0)) continue
        if (known.size >= MOST_NAMES && !known.has(name)) continue
        known.set(name, rows)
        isNew = true
      }
      if (known.size) target.left_out = [...known]
    }
    this.rows = new Map()
    return isNew
  }
}
