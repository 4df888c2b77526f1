import { Type } from 'typebox'
import { emailKey } from '#src/auth/email.ts'
import { failureKey } from '#src/auth/login-failures.ts'
import { refuseAfterFailures } from '#src/operations/account/password/steps/record-failure.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { selectCredentials } from '#src/storage/accounts/accounts.ts'

export const findCredentials = defineOperation({
  name: 'findCredentials',
  summary: 'What a password is checked against; refused where the caller has failed too often.',
  access: 'internal',
  effect: 'read',
  inline: true,
  input: Type.Object({ email: Type.String() }),
  output: Type.Union([
    Type.Object({ user_id: Type.String(), password_hash: Type.Union([Type.String(), Type.Null()]) }),
    Type.Null(),
  ]),
  async run({ db, caller, now }, { email }) {
    await refuseAfterFailures(db, failureKey(email, caller), now)
    const found = await selectCredentials(db, emailKey(email))
    // A disabled account looks like none.
    if (!found || found.disabled_at !== null) return null
    return { user_id: found.user_id, password_hash: found.password_hash }
  },
})
