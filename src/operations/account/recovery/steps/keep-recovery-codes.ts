import { defineStep } from '#src/operations/step.ts'
import { replaceRecoveryCodes } from '#src/storage/accounts/recovery-codes.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { findTotp } from '#src/storage/accounts/totp.ts'

/** Keeps new recovery codes of the caller; answers whether TOTP is still active. */
export const keepRecoveryCodes = defineStep({
  name: 'keepRecoveryCodes',
  effect: 'write',
  async run(context, { code_hashes }: { code_hashes: string[] }): Promise<boolean> {
    const { db, caller } = context
    const user_id = caller.user_id!
    if ((await findTotp(db, user_id))?.state !== 'active') return false
    await replaceRecoveryCodes(db, user_id, code_hashes)
    await appendSecurityEvent(db, context, { event_type: 'recovery_codes_made', user_id })
    return true
  },
})
