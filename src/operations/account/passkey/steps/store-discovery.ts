import { CHALLENGE_LIFE } from '#src/auth/passkey.ts'
import { defineStep } from '#src/operations/step.ts'
import { insertChallenge } from '#src/storage/accounts/webauthn-challenges.ts'

/** Keeps the challenge of a sign-in with whatever passkey the browser offers. */
export const storeDiscovery = defineStep({
  name: 'storeDiscovery',
  effect: 'write',
  async run({ db, now }, { challenge }: { challenge: string }) {
    const expires_at = new Date(now.getTime() + CHALLENGE_LIFE).toISOString()
    await insertChallenge(db, { challenge, purpose: 'discovery', user_id: null, expires_at })
    return null
  },
})
