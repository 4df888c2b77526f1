import { Type } from 'typebox'
import { failureKey } from '#src/auth/login-failures.ts'
import { unauthorized } from '#src/domain/errors.ts'
import { refuseAfterFailures } from '#src/operations/account/password/steps/record-failure.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { findAccount } from '#src/storage/accounts/accounts.ts'

export const findPassword = defineOperation({
  name: 'findPassword',
  summary: "The caller's own password hash; refused where the caller has failed too often.",
  access: 'internal',
  effect: 'read',
  inline: true,
  input: Type.Object({}),
  output: Type.Object({ email: Type.String(), password_hash: Type.Union([Type.String(), Type.Null()]) }),
  async run({ db, caller, now }) {
    const account = await findAccount(db, caller.user_id!)
    if (!account) throw unauthorized('This account is gone')
    await refuseAfterFailures(db, failureKey(account.email, caller), now)
    return { email: account.email, password_hash: account.password_hash }
  },
})
