import { Type } from 'typebox'
import { CHALLENGE_LIFE } from '#src/auth/passkey.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { insertChallenge } from '#src/storage/accounts/webauthn-challenges.ts'

export const storeRegistration = defineOperation({
  name: 'storeRegistration',
  summary: "Keeps the challenge of the caller's registration of a passkey.",
  access: 'internal',
  effect: 'write',
  input: Type.Object({ challenge: Type.String() }),
  output: Type.Null(),
  async run({ db, caller, now }, { challenge }) {
    const expires_at = new Date(now.getTime() + CHALLENGE_LIFE).toISOString()
    await insertChallenge(db, { challenge, purpose: 'registration', user_id: caller.user_id, expires_at })
    return null
  },
})
