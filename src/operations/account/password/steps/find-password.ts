import { failureKey } from '#src/auth/login-failures.ts'
import { unauthorized } from '#src/domain/errors.ts'
import { refuseAfterFailures } from '#src/operations/account/password/steps/record-failure.ts'
import { defineStep } from '#src/operations/step.ts'
import { findAccount } from '#src/storage/accounts/accounts.ts'

/** The caller's own password hash; refused where the caller has failed too often. */
export const findPassword = defineStep({
  name: 'findPassword',
  effect: 'read',
  inline: true,
  async run({ db, caller, now }) {
    const account = await findAccount(db, caller.user_id!)
    if (!account) throw unauthorized('This account is gone')
    await refuseAfterFailures(db, failureKey(account.email, caller), now)
    return { email: account.email, password_hash: account.password_hash }
  },
})
