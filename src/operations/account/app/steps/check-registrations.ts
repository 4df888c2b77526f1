import { addressGroup } from '#src/auth/client-address.ts'
import { tooManyRequests } from '#src/domain/errors.ts'
import { defineStep } from '#src/operations/step.ts'
import { countClients, registrationsFrom } from '#src/storage/accounts/app-clients.ts'

const HOUR = 60 * 60 * 1000
/** From one address (IPv6: one /64) in an hour. */
const MAX_FROM_ADDRESS = 50
/** In all, until those that nobody let in are swept. */
const MAX_CLIENTS = 10_000

/** @throws TooManyRequests where another client may not register now */
export const checkRegistrations = defineStep({
  name: 'checkRegistrations',
  effect: 'read',
  async run({ db, caller, now }): Promise<null> {
    const since = new Date(now.getTime() - HOUR).toISOString()
    const recent = await registrationsFrom(db, addressGroup(caller.address), since)
    const oldest = recent[MAX_FROM_ADDRESS - 1]
    if (oldest !== undefined)
      throw tooManyRequests(
        `At most ${MAX_FROM_ADDRESS} apps an hour may register from one address`,
        Math.max(1, Math.ceil((Date.parse(oldest) + HOUR - now.getTime()) / 1000)),
      )
    if ((await countClients(db)) >= MAX_CLIENTS)
      throw tooManyRequests('Too many apps have registered and are not used', HOUR / 1000)
    return null
  },
})
