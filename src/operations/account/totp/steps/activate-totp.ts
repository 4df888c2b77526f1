import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { activateTotp as activateInDatabase } from '#src/storage/accounts/totp.ts'

export const activateTotp = defineOperation({
  name: 'activateTotp',
  summary: 'Makes a pending TOTP secret active; answers whether it was still pending.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({ secret: Type.String() }),
  output: Type.Boolean(),
  async run({ db, caller }, { secret }) {
    return activateInDatabase(db, caller.user_id!, secret)
  },
})
