import type { ItemEdits } from '#web/data/item-edits.ts'
import { holdPageWhile } from '#web/parts/use-leave-guard.ts'
import { Slot } from '#web/store.ts'

/** What an item refused and another one beside the table took the place of; as long as there is any, the page asks. */
const refused = new Slot<ReadonlyMap<string, ItemEdits>>('refused_edits', 'account', () => new Map())
holdPageWhile(refused, ({ size }) => size > 0)

export const refusedOf = (item_id: string): ItemEdits | undefined => refused.get().get(item_id)

export const keepRefused = (item_id: string, edits: ItemEdits): void =>
  refused.update((all) => new Map(all).set(item_id, edits))

/** It is shown again. */
export const takeRefused = (item_id: string): void =>
  refused.update((all) => new Map([...all].filter(([id]) => id !== item_id)))
