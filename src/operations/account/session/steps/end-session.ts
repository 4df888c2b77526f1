import { Type } from 'typebox'
import { Ended } from '#src/operations/account/account-schemas.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { deleteSession } from '#src/storage/accounts/sessions.ts'

export const endSession = defineOperation({
  name: 'endSession',
  summary: 'Ends one session.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({ token_hash: Type.String() }),
  output: Ended,
  async run({ db }, { token_hash }) {
    return { ended: await deleteSession(db, token_hash) }
  },
})
