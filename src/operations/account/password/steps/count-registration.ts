import { retryAfter } from '#src/auth/login-failures.ts'
import { REGISTRATIONS, registrationKey } from '#src/auth/registrations.ts'
import { tooManyRequests } from '#src/domain/errors.ts'
import { defineStep } from '#src/operations/step.ts'
import { failuresOf, insertFailure } from '#src/storage/accounts/login-failures.ts'

/** Counts an account that somebody asks for. @throws TooManyRequests where their address has asked for too many */
export const countRegistration = defineStep({
  name: 'countRegistration',
  effect: 'write',
  async run({ db, caller, now }): Promise<null> {
    const key = registrationKey(caller.address)
    if (key === null) return null
    const seconds = retryAfter(await failuresOf(db, key, now, REGISTRATIONS), now, REGISTRATIONS)
    if (seconds !== null)
      throw tooManyRequests(
        `At most ${REGISTRATIONS.max} accounts an hour may be asked for from one address without an invitation`,
        seconds,
      )
    await insertFailure(db, key, now)
    return null
  },
})
