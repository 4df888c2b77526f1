import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { listUsers } from '#web/api/operations.ts'
import { meQuery } from '#web/data/me-query.ts'

/** Everybody who has an account, or had one. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => (await call(listUsers, {}, { signal })).data,
  staleTime: 5 * 60_000,
})

/** Says who it was: `you`, a name, or `somebody` where the account had none. */
export function useNameOfUser(): (user_id: string | null) => string {
  const me = useQuery(meQuery).data
  const users = useQuery(usersQuery).data
  return (user_id) => {
    if (user_id !== null && user_id === me?.user_id) return 'you'
    return users?.find((user) => user.user_id === user_id)?.display_name || 'somebody'
  }
}
