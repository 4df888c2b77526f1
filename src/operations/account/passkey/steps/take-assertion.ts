import { defineStep } from '#src/operations/step.ts'
import { findPasskey } from '#src/storage/accounts/passkeys.ts'
import { takeChallenge } from '#src/storage/accounts/webauthn-challenges.ts'

/** Uses up the challenge of a sign-in and finds the passkey that answers it. */
export const takeAssertion = defineStep({
  name: 'takeAssertion',
  effect: 'write',
  async run({ db, now }, { challenge, credential_id }: { challenge: string; credential_id: string }) {
    const discovered = await takeChallenge(db, 'discovery', challenge, now)
    const taken = discovered ?? (await takeChallenge(db, 'authentication', challenge, now))
    if (!taken) return null
    const passkey = await findPasskey(db, credential_id)
    if (discovered) return { passkey: passkey ?? null }
    return { passkey: passkey && passkey.user_id === taken.user_id ? passkey : null }
  },
})
