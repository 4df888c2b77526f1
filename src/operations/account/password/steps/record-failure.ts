import { emailKey } from '#src/auth/email.ts'
import {
  CODES,
  codeKey,
  type FailureLimit,
  failureKeys,
  retryAfter,
  SIGN_INS,
} from '#src/auth/login-failures.ts'
import type { Caller } from '#src/domain/caller.ts'
import { tooManyRequests } from '#src/domain/errors.ts'
import { defineStep } from '#src/operations/step.ts'
import type { Db } from '#src/sql/query.ts'
import { selectCredentials } from '#src/storage/accounts/accounts.ts'
import { failuresOf, insertFailure } from '#src/storage/accounts/login-failures.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** Counts a wrong password or code of an account and address. */
export const recordFailure = defineStep({
  name: 'recordFailure',
  effect: 'write',
  async run(context, { email, code = false }: { email: string; code?: boolean }) {
    const { db, caller, now } = context
    await countFailures(db, email, caller, now)
    if (code) await countFailure(db, codeKey(email, 'disable'), now, CODES)
    // Who is signed in fails to prove themselves; what was typed in place of an address is not kept.
    const event_type =
      caller.session?.state === 'full' && caller.user_id ? 'confirm_failed' : 'sign_in_failed'
    const user_id = (await selectCredentials(db, emailKey(email)))?.user_id ?? null
    await appendSecurityEvent(db, context, { event_type, user_id })
    return null
  },
})

/** A wrong password or code. @throws TooManyRequests as `countFailure` does */
export async function countFailures(db: Db, email: string, from: Caller, now: Date): Promise<void> {
  const [judged, ...others] = failureKeys(email, from)
  await countFailure(db, judged!, now)
  for (const key of others) await insertFailure(db, key, now)
}

/** @throws TooManyRequests where others have used the last attempt up meanwhile; then it is not counted. */
export async function countFailure(
  db: Db,
  key: string,
  now: Date,
  limit: FailureLimit = SIGN_INS,
): Promise<void> {
  await refuseAfterFailures(db, key, now, limit)
  await insertFailure(db, key, now)
}

/** @throws TooManyRequests */
export async function refuseAfterFailures(
  db: Db,
  key: string,
  now: Date,
  limit: FailureLimit = SIGN_INS,
): Promise<void> {
  const seconds = retryAfter(await failuresOf(db, key, now, limit), now, limit)
  if (seconds === null) return
  const what =
    limit === CODES ? 'Too many wrong codes of this account' : 'Too many failed attempts to sign in from here'
  throw tooManyRequests(what, seconds)
}
