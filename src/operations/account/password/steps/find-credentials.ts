import { emailKey } from '#src/auth/email.ts'
import { failureKey } from '#src/auth/login-failures.ts'
import { refuseAfterFailures } from '#src/operations/account/password/steps/record-failure.ts'
import { defineStep } from '#src/operations/step.ts'
import { selectCredentials } from '#src/storage/accounts/accounts.ts'

/** What a password is checked against; refused where the caller has failed too often. */
export const findCredentials = defineStep({
  name: 'findCredentials',
  effect: 'read',
  inline: true,
  async run({ db, caller, now }, { email }: { email: string }) {
    await refuseAfterFailures(db, failureKey(email, caller), now)
    const found = await selectCredentials(db, emailKey(email))
    // A disabled account looks like none.
    if (!found || found.disabled_at !== null) return null
    return { user_id: found.user_id, password_hash: found.password_hash }
  },
})
