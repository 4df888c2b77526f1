import { call, faultOf, inSession } from '#web/api/call.ts'
import { unreachable } from '#web/api/fault.ts'
import { getMe } from '#web/api/operations.ts'
import { asAccount } from '#web/api/session-state.ts'

/**
 * Leaves for a provider, to link it to the account whose page it is. It is asked first: what is refused is said on this
 * page, and may want a fresh proof.
 * @throws Fault
 */
export async function linkProvider(id: string): Promise<void> {
  // Without its session the way would lead to a sign-in, of whomever the provider knows.
  await call(getMe, {})
  const address = `/api/auth/oauth/${id}`
  const response = await inSession(() =>
    fetch(address, { headers: asAccount(), redirect: 'manual' }).catch(() => {
      throw unreachable()
    }),
  )
  if (response.type !== 'opaqueredirect')
    throw faultOf(response.status, await response.json().catch(() => undefined))
  location.assign(address)
}
