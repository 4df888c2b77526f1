import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { getBacklinks, getItem, searchAuditLog, searchItems } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { keepItemName } from '#web/data/item-names.ts'

export type Item = OutputOf<typeof getItem>

/** More are counted, not listed. */
const MOST_BACKLINKS = 200

/** One item whole; the names of what it refers to come along. */
export const itemQuery = (item_id: string) =>
  queryOptions({
    queryKey: ['item', item_id],
    queryFn: async ({ signal }) => {
      const { data } = await call(getItem, { item_id, expand: true }, { signal })
      for (const [id, { name, deleted }] of Object.entries(data.references ?? {}))
        keepItemName(id, deleted ? null : name)
      keepItemName(item_id, data.name)
      return data
    },
    staleTime: 0,
  })

/** What refers to an item, by which field. */
export const backlinksQuery = (item_id: string) =>
  queryOptions({
    queryKey: ['backlinks', item_id],
    queryFn: async ({ signal }) => {
      const input = { item_id, limit: MOST_BACKLINKS, count: true }
      const { data, total } = await call(getBacklinks, input, { signal })
      for (const link of data) keepItemName(link.item_id, link.name)
      return { links: data, total: total ?? data.length }
    },
    staleTime: 0,
  })

/** Of items whose descriptions link to one. */
const MOST_MENTIONS = 20

/** Items whose descriptions link to an item: found by the address in their text, as no index holds links. */
export const mentionsQuery = (item_id: string) =>
  queryOptions({
    queryKey: ['mentions', item_id],
    queryFn: async ({ signal }) => {
      const filter = {
        and: [{ description: { contains: `/items/${item_id}` } }, { not: { id: item_id } }],
      }
      const input = { filter, limit: MOST_MENTIONS, fields: ['item_id', 'name'] }
      const { data } = await call(searchItems, input, { signal })
      for (const { item_id: id, name } of data) keepItemName(id, name)
      return data.map(({ item_id: id }) => id)
    },
    staleTime: 30_000,
  })

/** The last that became of an item that is not there: it was deleted, or purged; null: there never was one. */
export const lastOfItemQuery = (item_id: string) =>
  queryOptions({
    queryKey: ['last-of-item', item_id],
    queryFn: async ({ signal }) => {
      const event_types = ['item_deleted', 'item_purged']
      const { data } = await call(searchAuditLog, { item_ids: [item_id], event_types, limit: 1 }, { signal })
      return data[0] ?? null
    },
    staleTime: 0,
  })
