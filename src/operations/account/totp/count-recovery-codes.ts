import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { recoveryCodesLeft } from '#src/storage/accounts/recovery-codes.ts'

export const countRecoveryCodes = defineOperation({
  name: 'countRecoveryCodes',
  summary: 'How many recovery codes are left.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/auth/2fa/recovery-codes',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ left: Type.Integer() }),
  example: { output: { left: 10 } },
  async run({ db, caller }) {
    return { left: await recoveryCodesLeft(db, caller.user_id!) }
  },
})
