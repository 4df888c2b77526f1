import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import { keepItemName } from '#web/data/item-names.ts'

const MOST = 20
const PAUSE = 100

export interface ItemOption {
  item_id: string
  name: string
  /** Its tags. */
  what: string
}

/** Items that hold the text, of the tags that are meant; `isOld` as long as they answer an earlier text. */
export function useItemsLike(
  text: string,
  of: readonly string[],
): { items: readonly ItemOption[]; isOld: boolean } {
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const {
    data: items = NONE,
    isPlaceholderData,
    isPending,
  } = useQuery({
    queryKey: ['references', asked, of],
    queryFn: ({ signal }) => findItemsLike(asked, of, { signal }),
    placeholderData: (old) => old,
    staleTime: 5000,
  })
  return { items, isOld: text !== asked || isPlaceholderData || isPending }
}

/** The first items that hold the text, of the tags that are meant, by name. */
export async function findItemsLike(
  text: string,
  of: readonly string[],
  options: { signal?: AbortSignal } = {},
): Promise<readonly ItemOption[]> {
  const input = { ...filterOf(text, of), sort: [{ by: 'name' as const }], limit: MOST }
  const { data } = await call(searchItems, input, options)
  return data.map(({ item_id, name, tags }) => {
    keepItemName(item_id, name)
    const what = Object.values(tags).map(({ tag_name }) => tag_name)
    return { item_id, name, what: what.join(', ') }
  })
}

/** Whether what is typed is the name already, so that no other item needs to be made. */
export const isNamed = (name: string, text: string): boolean => name.toLowerCase() === text.toLowerCase()

const NONE: readonly ItemOption[] = []

/** True of items with any of the tags; undefined where none is named. */
export function filterOfTags(of: readonly string[]): Record<string, unknown> | undefined {
  const each = of.map((has_tag) => ({ has_tag }))
  return each.length > 1 ? { or: each } : each[0]
}

function filterOf(text: string, of: readonly string[]): { filter?: Record<string, unknown> } {
  const tagged = filterOfTags(of)
  const parts = [...(tagged ? [tagged] : []), ...(text ? [{ search: text }] : [])]
  if (!parts.length) return {}
  return { filter: parts.length > 1 ? { and: parts } : parts[0]! }
}
