import type { Fault } from '#web/api/fault.ts'

/** One value of one item: a tag's field, or without a tag the item's name. */
export interface CellPlace {
  item_id: string
  tag_id: string | null
  field: string
}

/** What has been typed and is not yet what the service has. */
export interface PendingEdit {
  value: unknown
  /** Why it was not taken; until then it is being saved. */
  fault?: Fault
}

/** What of an item an edit changes. */
export interface ShownRow {
  item_id: string
  name: string
  tags: Readonly<Record<string, { field_values: Readonly<Record<string, unknown>> }>>
}

interface Held extends CellPlace {
  edit: PendingEdit
}

const keyOf = ({ tag_id, field }: CellPlace) => `${tag_id ?? ''} ${field}`

/** Edits that are not stored yet, by their items. */
export class PendingEdits {
  private readonly items = new Map<string, Map<string, Held>>()

  get(place: CellPlace): PendingEdit | undefined {
    return this.items.get(place.item_id)?.get(keyOf(place))?.edit
  }

  set({ item_id, tag_id, field }: CellPlace, edit: PendingEdit): void {
    const held = this.items.get(item_id) ?? new Map<string, Held>()
    this.items.set(item_id, held.set(keyOf({ item_id, tag_id, field }), { item_id, tag_id, field, edit }))
  }

  delete(place: CellPlace): boolean {
    const held = this.items.get(place.item_id)
    if (!held?.delete(keyOf(place))) return false
    if (!held.size) this.items.delete(place.item_id)
    return true
  }

  get failed(): number {
    return [...this.items.values()].flatMap((held) => [...held.values()]).filter(({ edit }) => edit.fault)
      .length
  }

  /** The item as it is shown: what was typed, also nothing, comes before what is stored. */
  shown<R extends ShownRow>(row: R): R {
    const held = this.items.get(row.item_id)
    return held ? [...held.values()].reduce(withValue, row) : row
  }
}

function withValue<R extends ShownRow>(row: R, { tag_id, field, edit }: Held): R {
  if (tag_id === null) return { ...row, name: String(edit.value) }
  const applied = row.tags[tag_id]
  if (!applied) return row
  const field_values = { ...applied.field_values, [field]: edit.value }
  return { ...row, tags: { ...row.tags, [tag_id]: { ...applied, field_values } } }
}
