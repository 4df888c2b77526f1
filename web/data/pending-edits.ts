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

/**
 * What is pending of one item, and how each row of it is shown: as long as nothing changes that is the same object. Two
 * parts of a page may have rows of their own of one item.
 */
interface HeldItem {
  readonly edits: Map<string, Held>
  shown: WeakMap<ShownRow, ShownRow>
}

const keyOf = ({ tag_id, field }: CellPlace) => `${tag_id ?? ''} ${field}`

/** Edits that are not stored yet, by their items. */
export class PendingEdits {
  private readonly items = new Map<string, HeldItem>()

  get(place: CellPlace): PendingEdit | undefined {
    return this.items.get(place.item_id)?.edits.get(keyOf(place))?.edit
  }

  set({ item_id, tag_id, field }: CellPlace, edit: PendingEdit): void {
    const edits = this.items.get(item_id)?.edits ?? new Map<string, Held>()
    edits.set(keyOf({ item_id, tag_id, field }), { item_id, tag_id, field, edit })
    this.items.set(item_id, { edits, shown: new WeakMap() })
  }

  delete(place: CellPlace): boolean {
    const held = this.items.get(place.item_id)
    if (!held?.edits.delete(keyOf(place))) return false
    held.shown = new WeakMap()
    if (!held.edits.size) this.items.delete(place.item_id)
    return true
  }

  get failed(): number {
    const all = [...this.items.values()].flatMap(({ edits }) => [...edits.values()])
    return all.filter(({ edit }) => edit.fault).length
  }

  /** The item as it is shown: what was typed, also nothing, comes before what is stored. */
  shown<R extends ShownRow>(row: R): R {
    const held = this.items.get(row.item_id)
    if (!held) return row
    const known = held.shown.get(row)
    if (known) return known as R
    const shown = [...held.edits.values()].reduce(withValue, row)
    held.shown.set(row, shown)
    return shown
  }
}

function withValue<R extends ShownRow>(row: R, { tag_id, field, edit }: Held): R {
  if (tag_id === null) return { ...row, name: String(edit.value) }
  const applied = row.tags[tag_id]
  if (!applied) return row
  const field_values = { ...applied.field_values, [field]: edit.value }
  return { ...row, tags: { ...row.tags, [tag_id]: { ...applied, field_values } } }
}
