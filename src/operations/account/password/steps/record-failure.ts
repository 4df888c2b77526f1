import { Type } from 'typebox'
import { emailKey } from '#src/auth/email.ts'
import { failureKey, retryAfter } from '#src/auth/login-failures.ts'
import { tooManyRequests } from '#src/domain/errors.ts'
import { defineOperation } from '#src/operations/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { findCredentials } from '#src/storage/accounts/accounts.ts'
import { failuresOf, insertFailure } from '#src/storage/accounts/login-failures.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

export const recordFailure = defineOperation({
  name: 'recordFailure',
  summary: 'Counts a wrong password or code of an account and address.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({ email: Type.String() }),
  output: Type.Null(),
  async run(context, { email }) {
    const { db, caller, now } = context
    await countFailure(db, failureKey(email, caller.address), now)
    // Who is signed in fails to prove himself; what was typed in place of an address is not kept.
    const event_type =
      caller.session?.state === 'full' && caller.user_id ? 'confirm_failed' : 'sign_in_failed'
    const user_id = (await findCredentials(db, emailKey(email)))?.user_id ?? null
    await appendSecurityEvent(db, context, { event_type, user_id })
    return null
  },
})

/** @throws TooManyRequests where others have used the last attempt up meanwhile; then it is not counted. */
export async function countFailure(db: Db, key: string, now: Date): Promise<void> {
  await refuseAfterFailures(db, key, now)
  await insertFailure(db, key, now)
}

/** @throws TooManyRequests */
export async function refuseAfterFailures(db: Db, key: string, now: Date): Promise<void> {
  const seconds = retryAfter(await failuresOf(db, key, now), now)
  if (seconds !== null) throw tooManyRequests('Too many failed attempts to sign in from here', seconds)
}
