import { defineStep } from '#src/operations/step.ts'
import { deleteTotp, findTotp } from '#src/storage/accounts/totp.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** Takes the caller's TOTP secret away; answers whether it still was that one. */
export const removeTotp = defineStep({
  name: 'removeTotp',
  effect: 'write',
  async run(context, { secret, state }: { secret: string; state: string }) {
    const { db, caller } = context
    const totp = await findTotp(db, caller.user_id!)
    if (totp?.secret !== secret || totp.state !== state) return false
    if (state === 'active')
      await appendSecurityEvent(db, context, { event_type: 'totp_disabled', user_id: caller.user_id })
    return deleteTotp(db, caller.user_id!)
  },
})
