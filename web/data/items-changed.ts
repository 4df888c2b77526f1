import { ulidTime } from '#src/domain/ulid.ts'
import { Slot } from '#web/store.ts'

/** What became of items, wherever it was done: an undo here, somebody elsewhere. */
export interface ItemsChanged {
  /** Ids of items that are not any more as they were. */
  item_ids: ReadonlySet<string>
  /** Those among them that came: made, restored, or given a tag. */
  came: ReadonlySet<string>
  /** Ids of tags that are not any more as they were: a rename changes values of items that nobody names. */
  tag_ids: ReadonlySet<string>
  /** The last event of each, as far as it is known: what was read later need not be read again. */
  events: ReadonlyMap<string, string>
  /** Somebody took something back here: rows that are gone by it leave, as they came. */
  isUndo: boolean
}

/** The last one: each is one, also where it says the same again. */
const last = new Slot<ItemsChanged | null>('items_changed', 'account', () => null)

interface More {
  came?: Iterable<string>
  tag_ids?: Iterable<string>
  events?: ReadonlyMap<string, string>
  isUndo?: boolean
}

export function itemsChanged(
  item_ids: Iterable<string>,
  { came = [], tag_ids = [], events = new Map<string, string>(), isUndo = false }: More = {},
): void {
  const changed = {
    item_ids: new Set(item_ids),
    came: new Set(came),
    tag_ids: new Set(tag_ids),
    events,
    isUndo,
  }
  if (changed.item_ids.size || changed.tag_ids.size) last.set(changed)
}

export const onItemsChanged = (listener: (changed: ItemsChanged) => void): (() => void) =>
  last.subscribe(() => {
    const changed = last.get()
    if (changed) listener(changed)
  })

/** Whether an item that was read was as it is now: nothing has happened to it since. */
export function isUpToDate({ events }: ItemsChanged, item_id: string, updated_at: string): boolean {
  const event_id = events.get(item_id)
  return event_id !== undefined && updated_at >= new Date(ulidTime(event_id)).toISOString()
}
