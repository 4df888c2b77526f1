import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Fault } from '#web/api/fault.ts'
import { ItemEdits } from '#web/data/item-edits.ts'
import type { CellPlace } from '#web/data/pending-edits.ts'
import type { Seen } from '#web/data/unsent-edits.ts'
import { type Item, itemQuery } from '#web/data/item-query.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { tellReplaced } from '#web/data/save-all.ts'
import { storedAt } from '#web/data/send-edit.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { keepRefused, refusedOf, takeRefused } from '#web/item/refused-edits.ts'
import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import { useTakenAway } from '#web/parts/use-taken-away.ts'

/** An item as it was when an editor was opened. */
interface ItemThen {
  seen: Seen
  stored: unknown
}

/** What an editor was opened on, and how a value of it reads. */
interface OpenedValue {
  value: unknown
  /** Without it the item is taken as it is when it is saved. */
  before?: ItemThen | undefined
  tag_updated_at?: string | undefined
  what: string
  textOf: (value: unknown) => string
}

export interface SavedEdits {
  edits: ItemEdits
  /** The item as it is, for an editor that is opened. */
  itemNow: (place: CellPlace) => ItemThen | undefined
  /** Saves one value; it can be undone. An editor says on what it was opened. */
  save: (place: CellPlace, value: unknown, words: string, over?: OpenedValue) => Promise<void>
}

/** What is typed on an item's page, saved one after the other; what is given stays the same, so that who shows a value watches its own. */
export function useSavedEdits(item_id: string): SavedEdits {
  const client = useQueryClient()
  const [edits] = useState(
    () =>
      refusedOf(item_id) ??
      new ItemEdits(({ tags, ...row }) => {
        client.setQueryData<Item>(itemQuery(item_id).queryKey, (old) => old && { ...old, ...row, data: tags })
      }),
  )
  useLeaveGuard(useSyncExternalStore(edits.subscribe, () => edits.failed > 0))
  useTakenAway(() => {
    if (!edits.failed) return
    keepRefused(item_id, edits)
    const name = client.getQueryData<Item>(itemQuery(item_id).queryKey)?.name ?? 'An item'
    toast({
      text: `${name}: what you typed is not saved. It is still here: open the item again.`,
      kind: 'danger',
    })
  })
  useEffect(() => takeRefused(item_id), [item_id])
  const itemNow = useCallback<SavedEdits['itemNow']>(
    (place) => {
      const item = client.getQueryData<Item>(itemQuery(item_id).queryKey)
      if (!item) return undefined
      return { seen: { name: item.name, updated_at: item.updated_at }, stored: storedAt(item, place) }
    },
    [client, item_id],
  )
  const save = useCallback<SavedEdits['save']>(
    async (place, value, words, over) => {
      const { seen, stored } = over?.before ?? itemNow(place) ?? {}
      const saved = await edits.save(
        place,
        value,
        seen,
        over && { value: over.value, stored, tag_updated_at: over.tag_updated_at },
      )
      // The reason is at the value.
      if (saved instanceof Fault) return say(saved.message)
      say(words)
      keepChange(words, saved.change_id)
      itemsChanged([item_id])
      if (over && saved.replaced) tellReplaced(over.what, over.textOf(Object.values(saved.replaced)[0]))
    },
    [edits, item_id, itemNow],
  )
  return useMemo(() => ({ edits, itemNow, save }), [edits, itemNow, save])
}
