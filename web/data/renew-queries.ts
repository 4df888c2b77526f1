import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Item, itemQuery, backlinksQuery } from '#web/data/item-query.ts'
import { type ItemsChanged, onItemsChanged } from '#web/data/items-changed.ts'

/** Kept for each item; all of them are read again when more have changed than these. */
const MANY = 50
/** What depends on items without naming them. */
const COUNTS = [['count'], ['found'], ['explained'], ['aggregate']] as const

/** What was read of items that have changed is read again, where it is shown. */
export function useRenewedItems(): void {
  const client = useQueryClient()
  useEffect(() => onItemsChanged((changed) => renew(client, changed)), [client])
}

function renew(client: QueryClient, { item_ids, tag_ids, at }: ItemsChanged): void {
  const isOld = (id: string) => {
    const read = client.getQueryData(itemQuery(id).queryKey)?.updated_at
    return read === undefined || !(read >= (at.get(id) ?? '~'))
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
  for (const queryKey of [...keys, ['last-of-item'], ...COUNTS]) void client.invalidateQueries({ queryKey })
}
