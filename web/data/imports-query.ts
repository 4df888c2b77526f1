import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { getImport, listImports } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'

export type Import = OutputOf<typeof getImport>

/** Milliseconds between polls of what is under way. */
const LOOK = 500
const UNDER_WAY: ReadonlySet<string> = new Set(['reading', 'checking', 'running'])

export const isUnderWay = ({ state }: Pick<Import, 'state'>): boolean => UNDER_WAY.has(state)

/** One import; read again and again while something is done with it. */
export const importQuery = (import_id: string) =>
  queryOptions({
    queryKey: ['import', import_id],
    queryFn: async ({ signal }) => (await call(getImport, { import_id }, { signal })).data,
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? LOOK : false),
  })

/** One's own, newest first, page by page. */
export const importsQuery = infiniteQueryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal, pageParam }) =>
    call(listImports, { ...(pageParam !== undefined && { after: pageParam }) }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})
