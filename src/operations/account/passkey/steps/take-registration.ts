import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { takeChallenge } from '#src/storage/accounts/webauthn-challenges.ts'

export const takeRegistration = defineOperation({
  name: 'takeRegistration',
  summary: "Uses up the challenge of a registration; answers whether it was the caller's and still good.",
  access: 'internal',
  effect: 'write',
  input: Type.Object({ challenge: Type.String() }),
  output: Type.Boolean(),
  async run({ db, caller, now }, { challenge }) {
    return (await takeChallenge(db, 'registration', challenge, now))?.user_id === caller.user_id
  },
})
