import { Type } from 'typebox'
import { Role } from '#src/operations/account/account-schemas.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { findLiveSession } from '#src/storage/accounts/sessions.ts'

export const findSession = defineOperation({
  name: 'findSession',
  summary: 'The live session of a token, or null.',
  access: 'internal',
  effect: 'read',
  input: Type.Object({ token_hash: Type.String() }),
  output: Type.Union([
    Type.Object({
      user_id: Type.String(),
      state: Type.Union([Type.Literal('partial'), Type.Literal('full')]),
      expires_at: Type.String(),
      session_id: Type.String(),
      proven_at: Type.String(),
      role: Role,
    }),
    Type.Null(),
  ]),
  async run({ db, now }, { token_hash }) {
    return (await findLiveSession(db, token_hash, now)) ?? null
  },
})
