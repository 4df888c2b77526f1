import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listViews } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { isTemplate, isTemplateOf } from '#web/rules/item-template.ts'

export type View = OutputOf<typeof listViews>[number]

/** One's own views, by their position, and those that others share. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) =>
    (await call(listViews, { shared: true, sort: 'position' as const }, { signal })).data,
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
