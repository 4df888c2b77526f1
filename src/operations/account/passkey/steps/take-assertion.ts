import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { findPasskey } from '#src/storage/accounts/passkeys.ts'
import { takeChallenge } from '#src/storage/accounts/webauthn-challenges.ts'

export const takeAssertion = defineOperation({
  name: 'takeAssertion',
  summary: 'Uses up the challenge of a sign-in and finds the passkey that answers it.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({ challenge: Type.String(), credential_id: Type.String() }),
  output: Type.Union([
    Type.Object({
      passkey: Type.Union([
        Type.Object({
          credential_id: Type.String(),
          user_id: Type.String(),
          public_key: Type.String(),
          counter: Type.Integer(),
          transports: Type.Array(Type.String()),
        }),
        Type.Null({ description: 'Unknown, or of another account than the challenge' }),
      ]),
    }),
    Type.Null({ description: 'No such challenge is pending' }),
  ]),
  async run({ db, now }, { challenge, credential_id }) {
    const discovered = await takeChallenge(db, 'discovery', challenge, now)
    const taken = discovered ?? (await takeChallenge(db, 'authentication', challenge, now))
    if (!taken) return null
    const passkey = await findPasskey(db, credential_id)
    if (discovered) return { passkey: passkey ?? null }
    return { passkey: passkey && passkey.user_id === taken.user_id ? passkey : null }
  },
})
