import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { markTotpActive } from '#src/storage/accounts/totp.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

export const activateTotp = defineOperation({
  name: 'activateTotp',
  summary: 'Makes a pending TOTP secret active; answers whether it was still pending.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({ secret: Type.String() }),
  output: Type.Boolean(),
  async run(context, { secret }) {
    const { db, caller } = context
    const user_id = caller.user_id!
    if (!(await markTotpActive(db, user_id, secret))) return false
    await appendSecurityEvent(db, context, { event_type: 'totp_enabled', user_id })
    return true
  },
})
