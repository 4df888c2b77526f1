import {
  failureKeys,
  type FailureLimit,
  retryAfter,
  CODES,
  SIGN_INS,
  type Tried,
} from '#src/auth/login-failures.ts'
import type { Caller } from '#src/domain/caller.ts'
import { tooManyRequests } from '#src/domain/errors.ts'
import type { Db } from '#src/sql/query.ts'
import { failuresOf, insertFailure } from '#src/storage/accounts/login-failures.ts'

/** A wrong password or code. @throws TooManyRequests where others have used the last attempt up meanwhile; then it is not counted. */
export async function countFailures(db: Db, tried: Tried, from: Caller, now: Date): Promise<void> {
  const [judged, ...others] = failureKeys(tried, from)
  await refuseAfterFailures(db, judged!, now)
  for (const key of [judged!, ...others]) await insertFailure(db, key, now)
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
