import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { preference, setPreference, usePreference } from '#web/data/preferences.ts'
import { useTags } from '#web/data/tags-query.ts'
import { type View, viewsQuery } from '#web/data/views-query.ts'
import { pinsFrom, pinsText, toggledPin } from '#web/rules/pins.ts'

export type Pinned = { key: string; name: string; path: string; view?: View }

export const usePins = (): readonly string[] => {
  const text = usePreference('pins')
  return useMemo(() => pinsFrom(text), [text])
}

/** Pins a view or a tag, or takes it off again. */
export const togglePin = (id: string): void => keepPins(toggledPin(pinsFrom(preference('pins')), id))

export const keepPins = (ids: readonly string[]): void => setPreference('pins', pinsText(ids))

/** What is pinned, in one's own order; what is not there any more is left out. */
export function usePinned(): readonly Pinned[] {
  const pins = usePins()
  const tags = useTags()
  const { data: views } = useQuery(viewsQuery)
  return useMemo(
    () =>
      pins.flatMap((id): Pinned[] => {
        const view = views?.find(({ view_id }) => view_id === id)
        if (view) return [{ key: id, name: view.name, path: `/views/${id}`, view }]
        const tag = tags?.find(({ tag_id }) => tag_id === id)
        return tag ? [{ key: id, name: tag.name, path: `/tags/${id}` }] : []
      }),
    [pins, tags, views],
  )
}
