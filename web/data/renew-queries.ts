import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Item, itemQuery, backlinksQuery } from '#web/data/item-query.ts'
import type { ProposalPages } from '#web/data/proposals-query.ts'
import { isUpToDate, type ItemsChanged, onItemsChanged } from '#web/data/items-changed.ts'

/** Kept for each item; all of them are read again when more have changed than these. */
const MANY = 50
/** What depends on items without naming them. */
const COUNTS = [['count'], ['found'], ['explained'], ['aggregate']] as const

/** What was read of items that have changed is read again, where it is shown. */
export function useRenewedItems(): void {
  const client = useQueryClient()
  useEffect(() => onItemsChanged((changed) => renew(client, changed)), [client])
}

function renew(client: QueryClient, changed: ItemsChanged): void {
  const { item_ids, tag_ids } = changed
  const isOld = (id: string) => {
    const read = client.getQueryData(itemQuery(id).queryKey)?.updated_at
    return read === undefined || !isUpToDate(changed, id, read)
  }
  const keys =
    item_ids.size > MANY
      ? [['item'], ['backlinks']]
      : [...item_ids].filter(isOld).flatMap((id) => [itemQuery(id).queryKey, backlinksQuery(id).queryKey])
  if (tag_ids.size) {
    // By the names of then.
    void client.invalidateQueries({ queryKey: ['defaults'] })
    void client.invalidateQueries({
      queryKey: ['item'],
      predicate: ({ state }) =>
        Object.keys((state.data as Item | undefined)?.data ?? {}).some((id) => tag_ids.has(id)),
    })
  }
  void client.invalidateQueries({
    queryKey: ['proposals', 'one'],
    predicate: ({ state }) => isProposedOf(state.data as ProposalPages | undefined, { item_ids, tag_ids }),
  })
  for (const queryKey of [...keys, ['last-of-item'], ...COUNTS]) void client.invalidateQueries({ queryKey })
}

/** Whether what has changed may be in the way of what is proposed; of many, or of what is not read yet, it may. */
function isProposedOf(
  data: ProposalPages | undefined,
  { item_ids, tag_ids }: Pick<ItemsChanged, 'item_ids' | 'tag_ids'>,
): boolean {
  if (data?.pages[0]?.data.state !== 'open') return false
  if (tag_ids.size > 0 || item_ids.size > MANY || data.pages.at(-1)?.next !== undefined) return true
  return data.pages.some((page) => page.data.changes.some(({ item_id }) => item_ids.has(item_id ?? '')))
}
