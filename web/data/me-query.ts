import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { getMe } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { setSessionAccount } from '#web/api/session-state.ts'

export type User = OutputOf<typeof getMe>

/** The account that is signed in. An owner may give it another role: it is read again on coming back to the page. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const { data } = await call(getMe, {}, { signal })
    setSessionAccount(data.user_id)
    return data
  },
  staleTime: Infinity,
  refetchOnWindowFocus: 'always',
})

export const nameOfUser = ({ display_name, email }: Pick<User, 'display_name' | 'email'>): string =>
  display_name || email
