import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useItemNames } from '#web/data/item-names.ts'
import { preference, setPreference, usePreference } from '#web/data/preferences.ts'
import { useTags } from '#web/data/tags-query.ts'
import { type View, viewsQuery } from '#web/data/views-query.ts'
import { pinsFrom, pinsText, toggledPin } from '#web/rules/pins.ts'

export type Pinned = { key: string; name: string; path: string; kind: 'view' | 'tag' | 'item'; view?: View }

const NONE: readonly string[] = []

export const usePins = (): readonly string[] => {
  const text = usePreference('pins')
  return useMemo(() => pinsFrom(text), [text])
}

/** Pins a view, a tag or an item, or takes it off again. */
export const togglePin = (id: string): void => keepPins(toggledPin(pinsFrom(preference('pins')), id))

export const keepPins = (ids: readonly string[]): void => setPreference('pins', pinsText(ids))

/** What is pinned, in one's own order; what is not there any more is left out. */
export function usePinned(): readonly Pinned[] {
  const pins = usePins()
  const tags = useTags()
  const { data: views } = useQuery(viewsQuery)
  const known = useMemo(
    () =>
      new Set([...(tags ?? []).map(({ tag_id }) => tag_id), ...(views ?? []).map(({ view_id }) => view_id)]),
    [tags, views],
  )
  const items = tags && views ? pins.filter((id) => !known.has(id)) : NONE
  const names = useItemNames(items)
  return pins.flatMap((id): Pinned[] => {
    const view = views?.find(({ view_id }) => view_id === id)
    if (view) return [{ key: id, name: view.name, path: `/views/${id}`, kind: 'view', view }]
    const tag = tags?.find(({ tag_id }) => tag_id === id)
    if (tag) return [{ key: id, name: tag.name, path: `/tags/${id}`, kind: 'tag' }]
    const name = names[items.indexOf(id)]
    return name ? [{ key: id, name, path: `/items/${id}`, kind: 'item' }] : []
  })
}
