import { registrationKey, TAKEN } from '#src/auth/registration.ts'
import { retryAfter } from '#src/auth/login-failures.ts'
import type { Caller } from '#src/domain/caller.ts'
import { badRequest, tooManyRequests } from '#src/domain/errors.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { failuresOf, insertFailure } from '#src/storage/accounts/login-failures.ts'

/** Under what an answer that an address is taken counts: the account that asks, and where it asks from. */
function keysOf({ user_id, address }: Caller): string[] {
  const from = registrationKey(address)
  return [...(user_id === null ? [] : [`taken ${user_id}`]), ...(from === null ? [] : [`taken ${from}`])]
}

/** Before an address is looked for, so that free and taken ones are refused alike. @throws TooManyRequests */
export async function refuseAfterTaken({ db, caller, now }: SqlContext): Promise<void> {
  for (const key of keysOf(caller)) {
    const seconds = retryAfter(await failuresOf(db, key, now, TAKEN), now, TAKEN)
    if (seconds !== null)
      throw tooManyRequests(`At most ${TAKEN.max} addresses an hour may turn out to be taken`, seconds)
  }
}

/** In a transaction that commits: the step answers that the address is taken, and its caller refuses. */
export async function countTaken({ db, caller, now }: SqlContext): Promise<void> {
  for (const key of keysOf(caller)) await insertFailure(db, key, now)
}

export const emailTaken = (suggestion?: string) =>
  badRequest('This e-mail address is already registered', {
    ...(suggestion !== undefined && { suggestion }),
    details: { errors: [{ path: 'email', message: 'is already registered' }] },
  })
