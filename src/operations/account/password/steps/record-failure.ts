import { Type } from 'typebox'
import { failureKey, retryAfter } from '#src/auth/login-failures.ts'
import { tooManyRequests } from '#src/domain/errors.ts'
import { defineOperation } from '#src/operations/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { failuresOf, insertFailure } from '#src/storage/accounts/login-failures.ts'

export const recordFailure = defineOperation({
  name: 'recordFailure',
  summary: 'Counts a wrong password of an account and address.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({ email: Type.String() }),
  output: Type.Null(),
  async run({ db, caller, now }, { email }) {
    await countFailure(db, failureKey(email, caller.address), now)
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
