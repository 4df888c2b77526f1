import type { RowSource } from '#web/data/row-source.ts'
import type { Question } from '#web/rules/table-state.ts'

/** Which items are chosen for a change of many: these, or all that match the question but some. */
export interface Selection {
  ids: ReadonlySet<string>
  /** All that match; `ids` are then those that are left out. */
  all: boolean
}

export const NOTHING: Selection = { ids: new Set(), all: false }
export const EVERYTHING: Selection = { ids: new Set(), all: true }

export const isChosen = ({ ids, all }: Selection, item_id: string): boolean => ids.has(item_id) !== all

export const isNothing = ({ ids, all }: Selection): boolean => !all && !ids.size

export function toggled(selection: Selection, item_ids: readonly string[]): Selection {
  const ids = new Set(selection.ids)
  const every = item_ids.every((id) => isChosen(selection, id))
  for (const id of item_ids) {
    if (every === selection.all) ids.add(id)
    else ids.delete(id)
  }
  return { ...selection, ids }
}

/** How many that are, of this many in all. */
export const countOf = ({ ids, all }: Selection, total: number): number =>
  all ? Math.max(0, total - ids.size) : ids.size

export interface Selected {
  filter: Record<string, unknown>
  /** When those that are loaded were last changed. */
  seen: ReadonlyMap<string, string>
  count: number
  all: boolean
}

/** The items that are selected, as a filter. */
export function selectionFilter(selection: Selection, { filter }: Question, source: RowSource): Selected {
  const { ids, all } = selection
  const chosen = source.rows.filter(({ item_id }) => isChosen(selection, item_id))
  const named = { id: { in: [...ids] } }
  const left = ids.size ? { not: named } : null
  const every = filter && left ? { and: [filter, left] } : (filter ?? left ?? { search: '' })
  return {
    filter: all ? every : named,
    seen: new Map(chosen.map(({ item_id, updated_at }) => [item_id, updated_at])),
    count: countOf(selection, source.counted ?? source.total),
    all,
  }
}
