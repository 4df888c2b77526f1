import { defineStep } from '#src/operations/step.ts'
import { markTotpActive } from '#src/storage/accounts/totp.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** Makes a pending TOTP secret active; answers whether it was still pending. */
export const activateTotp = defineStep({
  name: 'activateTotp',
  effect: 'write',
  async run(context, { secret }: { secret: string }) {
    const { db, caller } = context
    const user_id = caller.user_id!
    if (!(await markTotpActive(db, user_id, secret))) return false
    await appendSecurityEvent(db, context, { event_type: 'totp_enabled', user_id })
    return true
  },
})
