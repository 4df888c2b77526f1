import type { TableTarget } from '#src/imports/rows/targets.ts'
import type { NamedRows } from '#src/operations/imports/import-steps.ts'

/** What a plan keeps of them at most: what leads to more of them is told in the second pass. */
const MOST = 10_000

/** Rows with a fault, as far as others lead to them, over one check of a file after another. */
export class LeftOutRows {
  private rows = new Map<number, Map<string | number, number>>()
  private readonly sought = new Set<string | number>()

  take({ left_out, sought }: NamedRows): void {
    for (const row of sought) this.sought.add(row)
    for (const { t, row } of left_out) {
      const found = this.rows.get(t) ?? this.rows.set(t, new Map()).get(t)!
      found.set(row, (found.get(row) ?? 0) + 1)
    }
  }

  /** Lets targets know of them, and the next check begin; false where they know all of it. What was left out stays so. */
  addTo(targets: readonly TableTarget[]): boolean {
    let isNew = false
    for (const [t, found] of this.rows) {
      const target = targets[t]!
      const known = new Map(target.left_out)
      for (const [row, rows] of found) {
        if (!this.sought.has(row) || rows <= (known.get(row) ?? 0)) continue
        if (known.size >= MOST && !known.has(row)) continue
        known.set(row, rows)
        isNew = true
      }
      if (known.size) target.left_out = [...known]
    }
    this.rows = new Map()
    return isNew
  }
}
