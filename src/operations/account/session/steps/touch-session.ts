import { minuteOf } from '#src/auth/minute.ts'
import { expiryOf } from '#src/auth/session.ts'
import { defineStep } from '#src/operations/step.ts'
import { touchAccount } from '#src/storage/accounts/accounts.ts'
import { moveSessionTimer } from '#src/storage/accounts/sessions.ts'

/** Starts the inactivity timer of a full session again; answers whether it was written. */
export const touchSession = defineStep({
  name: 'touchSession',
  effect: 'write',
  async run({ db, now }, { token_hash }: { token_hash: string }): Promise<boolean> {
    const user_id = await moveSessionTimer(db, token_hash, expiryOf('full', now))
    if (user_id === undefined) return false
    await touchAccount(db, user_id, minuteOf(now.getTime()))
    return true
  },
})
