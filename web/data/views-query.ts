import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { getView, listViews } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { isTemplate, isTemplateOf } from '#web/rules/item-template.ts'

export type View = OutputOf<typeof listViews>[number]

/** One's own views, by their position, and those that others share. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) =>
    (await call(listViews, { shared: true, sort: 'position' as const }, { signal })).data,
})

/** Milliseconds after which a view that is looked at is asked for again. */
const LOOKED_AT = 60_000

/**
 * One that is looked at: no event tells that it was deleted, or is shared no more. Null: it is not there any more, or never
 * was.
 */
export const viewQuery = (view_id: string) =>
  queryOptions({
    queryKey: ['views', view_id],
    queryFn: async ({ signal }): Promise<View | null> => {
      const answer = await call(getView, { view_id }, { signal }).catch(toFault)
      if (!(answer instanceof Fault)) return answer.data
      if (answer.status === 404) return null
      throw answer
    },
    staleTime: LOOKED_AT,
    refetchInterval: LOOKED_AT,
    refetchOnWindowFocus: 'always',
  })

const withoutTemplates = (views: readonly View[]) => views.filter((view) => !isTemplate(view))

/** Those that people look at: templates of items are stored as views too. */
export const lookedAtQuery = { ...viewsQuery, select: withoutTemplates }

const NONE: readonly View[] = []

/** The templates that begin items of a tag, one's own and shared ones. */
export function useTemplates(tag_id: string | undefined): readonly View[] {
  const { data = NONE } = useQuery({ ...viewsQuery, enabled: tag_id !== undefined })
  return tag_id === undefined ? NONE : data.filter((view) => isTemplateOf(view, tag_id))
}
