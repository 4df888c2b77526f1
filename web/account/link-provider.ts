import { useEffect } from 'react'
import { call, fetchOf, inSession, jsonOf } from '#web/api/call.ts'
import { unreachable } from '#web/api/fault.ts'
import { getMe } from '#web/api/operations.ts'
import { asAccount } from '#web/api/session-state.ts'
import type { User } from '#web/data/me-query.ts'

/**
 * Leaves for a provider, to link it to the account whose page it is. It is asked first: what is refused is said on this
 * page, and may want a fresh proof.
 * @throws Fault
 */
export async function linkProvider(id: string): Promise<void> {
  // Without its session the way would lead to a sign-in, of whomever the provider knows.
  const { data } = await call(getMe, {})
  const address = `/api/auth/oauth/${id}`
  const response = await inSession(() => fetchOf(address, { headers: asAccount(), redirect: 'manual' }))
  if (response.type !== 'opaqueredirect') {
    await jsonOf(response)
    throw unreachable() // it leads away, or refuses: this is not the service's
  }
  sessionStorage.setItem(LEFT_TO_LINK, `${data.user_id} ${id}`)
  location.assign(address)
}

/** Whose provider this tab left for: one comes back to `/`, with nothing that says what for. */
const LEFT_TO_LINK = 'facet.left_to_link'

/** On the start page: the provider that has been linked since the tab left for it, if it was. It is said once. */
export function useLinkedMeanwhile(me: User | undefined): string | undefined {
  useEffect(() => {
    if (me) forgetLinking()
  }, [me])
  const [who, provider] = sessionStorage.getItem(LEFT_TO_LINK)?.split(' ') ?? []
  return me && who === me.user_id ? me.oauth_providers.find((each) => each === provider) : undefined
}

/** One is back, however it ended. */
export const forgetLinking = (): void => sessionStorage.removeItem(LEFT_TO_LINK)
