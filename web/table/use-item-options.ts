import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '#web/api/call.ts'
import { createItem, searchItems } from '#web/api/operations.ts'
import { keepItemName } from '#web/data/item-names.ts'
import type { Option } from '#web/table/option.ts'

const MOST = 20
const PAUSE = 100

/** Items that a reference may name: those of the tags that are meant, found by their name; the last choice makes one. */
export function useItemOptions(text: string, of: readonly string[]): Option[] {
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const { data = [] } = useQuery({
    queryKey: ['references', asked, of],
    queryFn: async ({ signal }) => {
      const input = { ...filterOf(asked, of), sort: [{ by: 'name' as const }], limit: MOST }
      return (await call(searchItems, input, { signal })).data
    },
    placeholderData: (old) => old,
    staleTime: 5000,
  })
  const found = data.map(({ item_id, name, tags }) => ({
    value: item_id,
    text: name,
    what: Object.values(tags)
      .map(({ tag_name }) => tag_name)
      .join(', '),
  }))
  for (const { value, text } of found) keepItemName(value, text)
  const isNew = text && !found.some((each) => each.text.toLowerCase() === text.toLowerCase())
  return isNew ? [...found, creating(text, of)] : found
}

const creating = (name: string, of: readonly string[]): Option => ({
  value: 'new',
  text: `Create “${name}”`,
  create: async () => {
    const tags = of.length === 1 ? [{ tag_ref: { Existing: of[0]! } }] : []
    const { data } = await call(createItem, { name, tags })
    keepItemName(data.item_id, name)
    return data.item_id
  },
})

function filterOf(text: string, of: readonly string[]): { filter?: Record<string, unknown> } {
  const parts = [
    ...(of.length === 1 ? [{ has_tag: of[0] }] : []),
    ...(of.length > 1 ? [{ or: of.map((tag) => ({ has_tag: tag })) }] : []),
    ...(text ? [{ search: text }] : []),
  ]
  if (!parts.length) return {}
  return { filter: parts.length > 1 ? { and: parts } : parts[0]! }
}
