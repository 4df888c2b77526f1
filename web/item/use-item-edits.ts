import { useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { Fault } from '#web/api/fault.ts'
import { type CellPlace, ItemEdits } from '#web/data/item-edits.ts'
import { type Item, itemQuery } from '#web/data/item-query.ts'
import { keepUndoable } from '#web/data/undo-stack.ts'
import { say } from '#web/parts/live-region.tsx'

export interface ItemWriter {
  edits: ItemEdits
  /** Saves one value, and keeps how it was for Undo. */
  save: (place: CellPlace, before: unknown, after: unknown, words: string) => Promise<void>
}

/** What is typed on an item's page, saved one after the other. */
export function useItemEdits(item_id: string): ItemWriter {
  const client = useQueryClient()
  const [edits] = useState(
    () =>
      new ItemEdits(({ tags, ...row }) => {
        client.setQueryData<Item>(itemQuery(item_id).queryKey, (old) => old && { ...old, ...row, data: tags })
      }),
  )
  useSyncExternalStore(edits.subscribe, edits.snapshot)
  const put = async (place: CellPlace, value: unknown) => {
    const saved = await edits.save(place, value)
    if (saved instanceof Fault) throw saved
  }
  const save: ItemWriter['save'] = async (place, before, after, words) => {
    try {
      await put(place, after)
    } catch (error) {
      // The reason stands at the value.
      return say((error as Error).message)
    }
    say(words)
    keepUndoable({ words, undo: () => put(place, before), redo: () => put(place, after) })
  }
  return { edits, save }
}
