import { CODES, codeKey, failureKey } from '#src/auth/login-failures.ts'
import { unauthorized } from '#src/domain/errors.ts'
import { refuseAfterFailures } from '#src/operations/account/password/steps/record-failure.ts'
import { defineStep } from '#src/operations/step.ts'
import { findAccount } from '#src/storage/accounts/accounts.ts'
import { findTotp } from '#src/storage/accounts/totp.ts'

/** The caller's TOTP secret, sealed; refused where the caller has failed too often. */
export const findOwnTotp = defineStep({
  name: 'findOwnTotp',
  effect: 'read',
  inline: true,
  async run({ db, caller, now }) {
    const account = await findAccount(db, caller.user_id!)
    if (!account) throw unauthorized('This account is gone')
    await refuseAfterFailures(db, failureKey(account.email, caller), now)
    const use = caller.session?.state === 'partial' ? 'verify' : 'disable'
    await refuseAfterFailures(db, codeKey(account.email, use), now, CODES)
    return { email: account.email, totp: (await findTotp(db, account.user_id)) ?? null }
  },
})
