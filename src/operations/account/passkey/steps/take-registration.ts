import { defineStep } from '#src/operations/step.ts'
import { takeChallenge } from '#src/storage/accounts/webauthn-challenges.ts'

/** Uses up the challenge of a registration; answers whether it was the caller's and still good. */
export const takeRegistration = defineStep({
  name: 'takeRegistration',
  effect: 'write',
  async run({ db, caller, now }, { challenge }: { challenge: string }) {
    return (await takeChallenge(db, 'registration', challenge, now))?.user_id === caller.user_id
  },
})
