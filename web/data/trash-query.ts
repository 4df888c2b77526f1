import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listDeletedTags, searchDeletedItems } from '#web/api/operations.ts'

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

/** Shown at once; more are asked for. */
const PAGE = 100
/** Of those whose ids alone are wanted. */
const BIG_PAGE = 1000

/** What begins every key of a query about the trash. */
export const TRASH = ['trash'] as const

interface TrashPage {
  items: readonly Deleted[]
  next: string | undefined
  /** Of the first page alone. */
  total: number | undefined
}

/** Deleted items in which a text is found, newest deletion first, page by page. */
export const trashItemsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...TRASH, 'items', search],
    queryFn: async ({ signal, pageParam }) => trashPage(search, pageParam, PAGE, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** All deleted tags, newest deletion first: there are few. */
export const trashTagsQuery = queryOptions({
  queryKey: [...TRASH, 'tags'],
  queryFn: async ({ signal }): Promise<readonly Deleted[]> => {
    const { data } = await call(listDeletedTags, {}, { signal })
    return data
      .map(({ tag_id, name, deleted_at }) => ({ kind: 'tag' as const, id: tag_id, name, deleted_at }))
      .toSorted((a, b) => b.deleted_at.localeCompare(a.deleted_at))
  },
  staleTime: 0,
})

async function trashPage(
  search: string,
  after: string | undefined,
  limit: number,
  signal?: AbortSignal,
): Promise<TrashPage> {
  const isFirst = after === undefined
  const input = { ...(search && { search }), limit, ...(isFirst ? { count: true } : { after }) }
  const { data, next, total } = await call(searchDeletedItems, input, signal ? { signal } : {})
  const items = data.map(({ item_id, name, deleted_at }) => ({
    kind: 'item' as const,
    id: item_id,
    name,
    deleted_at,
  }))
  return { items, next, total }
}

/** All deleted items in which a text is found. */
export async function allDeletedItems(search: string): Promise<readonly Deleted[]> {
  const found: Deleted[] = []
  let after: string | undefined
  do {
    const { items, next } = await trashPage(search, after, BIG_PAGE)
    found.push(...items)
    after = next
  } while (after !== undefined)
  return found
}

/** Those of them that nobody has restored or removed for good meanwhile. */
export async function stillDeleted(chosen: readonly Deleted[]): Promise<readonly Deleted[]> {
  const there = new Set<string>()
  const ids = chosen.filter(({ kind }) => kind === 'item').map(({ id }) => id)
  for (let i = 0; i < ids.length; i += BIG_PAGE) {
    const filter = { id: { in: ids.slice(i, i + BIG_PAGE) } }
    const { data } = await call(searchDeletedItems, { filter, limit: BIG_PAGE })
    for (const { item_id } of data) there.add(item_id)
  }
  if (ids.length < chosen.length)
    for (const { tag_id } of (await call(listDeletedTags, {})).data) there.add(tag_id)
  return chosen.filter(({ id }) => there.has(id))
}
