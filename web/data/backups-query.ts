import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { getBackups } from '#web/api/operations.ts'

/** Milliseconds between polls of a copy that is being made. */
const LOOK = 1500

/** The copies of the base; for owners. */
export const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: async ({ signal }) => (await call(getBackups, {}, { signal })).data,
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.running ? LOOK : false),
})
