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

/** How many that are, of so many in all. */
export const countOf = ({ ids, all }: Selection, total: number): number =>
  all ? Math.max(0, total - ids.size) : ids.size
