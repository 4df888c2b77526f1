import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listDeletedItems, listDeletedTags } from '#web/api/operations.ts'

/** Something deleted. */
export interface Deleted {
  kind: 'item' | 'tag'
  id: string
  name: string
  deleted_at: string
}

const many = (count: number, word: string) => (count ? [`${count} ${word}${count > 1 ? 's' : ''}`] : [])

/** `2 items and 1 tag`. */
export function deletedWords(chosen: readonly Pick<Deleted, 'kind'>[]): string {
  const items = chosen.filter(({ kind }) => kind === 'item').length
  return countWords({ items, tags: chosen.length - items })
}

export const countWords = ({ items, tags }: { items: number; tags: number }): string =>
  [...many(items, 'item'), ...many(tags, 'tag')].join(' and ')

const PAGE = 1000

/** All that is deleted, newest deletion first. */
export const trashQuery = queryOptions({
  queryKey: ['trash'],
  queryFn: async ({ signal }): Promise<Deleted[]> => {
    const tags = await call(listDeletedTags, {}, { signal })
    const found: Deleted[] = tags.data.map(({ tag_id, name, deleted_at }) => ({
      kind: 'tag',
      id: tag_id,
      name,
      deleted_at,
    }))
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const input = { limit: PAGE, ...(after !== undefined && { after }) }
      const { data, next } = await call(listDeletedItems, input, { signal })
      for (const { item_id, name, deleted_at } of data)
        found.push({ kind: 'item', id: item_id, name, deleted_at })
      after = next
    }
    return found.toSorted((a, b) => b.deleted_at.localeCompare(a.deleted_at))
  },
  staleTime: 0,
})
