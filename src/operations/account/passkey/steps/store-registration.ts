import { CHALLENGE_LIFE } from '#src/auth/passkey.ts'
import { defineStep } from '#src/operations/step.ts'
import { insertChallenge } from '#src/storage/accounts/webauthn-challenges.ts'

/** Keeps the challenge of the caller's registration of a passkey. */
export const storeRegistration = defineStep({
  name: 'storeRegistration',
  effect: 'write',
  async run({ db, caller, now }, { challenge }: { challenge: string }) {
    const expires_at = new Date(now.getTime() + CHALLENGE_LIFE).toISOString()
    await insertChallenge(db, { challenge, purpose: 'registration', user_id: caller.user_id, expires_at })
    return null
  },
})
