import { badRequest, unauthorized } from '#src/domain/errors.ts'
import { defineStep } from '#src/operations/step.ts'
import { findAccount } from '#src/storage/accounts/accounts.ts'
import { findTotp, insertPendingTotp } from '#src/storage/accounts/totp.ts'

interface Input {
  /** Sealed. */
  secret: string
}

/** Keeps a TOTP secret until it is confirmed. */
export const savePendingTotp = defineStep({
  name: 'savePendingTotp',
  effect: 'write',
  async run({ db, caller, now }, { secret }: Input) {
    const account = await findAccount(db, caller.user_id!)
    if (!account) throw unauthorized('This account is gone')
    if ((await findTotp(db, account.user_id))?.state === 'active')
      throw badRequest('TOTP is active already', {
        suggestion: 'Disable it first with POST /api/auth/2fa/totp/disable',
      })
    await insertPendingTotp(db, account.user_id, secret, now)
    return { email: account.email }
  },
})
