import { useQueryClient } from '@tanstack/react-query'
import { asWrite, call } from '#web/api/call.ts'
import { type Fault, toFault } from '#web/api/fault.ts'
import { updateItem } from '#web/api/operations.ts'
import { type Item, itemQuery } from '#web/data/item-query.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { keepChange } from '#web/data/undo-change.ts'

/** What is stored now; or the item as it is where somebody else has changed its description; or what went wrong. */
export type SaveAnswer = { saved: string | null } | { other: Item } | { fault: Fault }

/** Somebody may write values of the item again and again. */
const MOST_TRIES = 5

export function useSaveDescription({ item_id, name }: Item) {
  const client = useQueryClient()
  const { queryKey } = itemQuery(item_id)
  const put = async (description: string | null, updated_at: string): Promise<string | null> => {
    const options = { headers: { 'if-match': `"${updated_at}"` } }
    const { data, change_id } = await call(updateItem, { item_id, description }, options)
    client.setQueryData<Item>(queryKey, (was) => ({ ...was, ...data }))
    keepChange(`Changed the description of ${name}`, change_id)
    itemsChanged([item_id])
    return data.description
  }
  const save = async (description: string | null, over: string | null): Promise<SaveAnswer> => {
    const read = () => client.fetchQuery(itemQuery(item_id))
    // Values that change meanwhile do not concern the text; only another text does.
    for (let tries = 1; ; tries++) {
      try {
        const now = await read()
        if (now.description === description) return { saved: description }
        if (now.description !== over) return { other: now }
        return { saved: await put(description, now.updated_at) }
      } catch (error) {
        const fault = toFault(error)
        if (fault.status !== 412 || tries === MOST_TRIES) return { fault }
        await client.invalidateQueries({ queryKey, refetchType: 'none' })
      }
    }
  }
  return (description: string | null, over: string | null) => asWrite(save(description, over))
}
