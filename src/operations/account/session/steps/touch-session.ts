import { Type } from 'typebox'
import { expiryOf } from '#src/auth/session.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { moveSessionTimer } from '#src/storage/accounts/sessions.ts'

export const touchSession = defineOperation({
  name: 'touchSession',
  summary: 'Starts the inactivity timer of a full session anew; answers whether it was written.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({ token_hash: Type.String() }),
  output: Type.Boolean(),
  async run({ db, now }, { token_hash }) {
    return moveSessionTimer(db, token_hash, expiryOf('full', now))
  },
})
