import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { deleteTotp, findTotp } from '#src/storage/accounts/totp.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

export const removeTotp = defineOperation({
  name: 'removeTotp',
  summary: "Takes the caller's TOTP secret away; answers whether it still was that one.",
  access: 'internal',
  effect: 'write',
  input: Type.Object({ secret: Type.String(), state: Type.String() }),
  output: Type.Boolean(),
  async run(context, { secret, state }) {
    const { db, caller } = context
    const totp = await findTotp(db, caller.user_id!)
    if (totp?.secret !== secret || totp.state !== state) return false
    if (state === 'active')
      await appendSecurityEvent(db, context, { event_type: 'totp_disabled', user_id: caller.user_id })
    return deleteTotp(db, caller.user_id!)
  },
})
