import { codeKey, CODES, failureKey } from '#src/auth/login-failures.ts'
import { countFailures, refuseAfterFailures } from '#src/operations/account/password/count-failures.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { insertFailure } from '#src/storage/accounts/login-failures.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

type Account = { user_id: string; email: string }

/** Codes that complete a sign-in, and those of somebody who is signed in, do not use each other's tries up. */
const useOf = ({ caller: { session } }: Pick<SqlContext, 'caller'>) =>
  session?.state === 'partial' ? 'verify' : 'session'

/** @throws TooManyRequests where the address, or the account from wherever, has had too many wrong codes */
export async function refuseCodes(
  context: Pick<SqlContext, 'db' | 'caller' | 'now'>,
  account: Account,
): Promise<void> {
  const { db, caller, now } = context
  await refuseAfterFailures(db, failureKey(account, caller), now)
  await refuseAfterFailures(db, codeKey(account.user_id, useOf(context)), now, CODES)
}

/**
 * The one place where a code of a second factor is taken or counted, in one transaction: of many that are tried at once
 * none is looked at beyond the limit, right or wrong (decisions §8, additions §11).
 * @throws TooManyRequests
 */
export async function judgeCode(
  context: SqlContext,
  account: Account,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const { db, caller, now } = context
  await refuseCodes(context, account)
  if (await isRight()) return true
  const use = useOf(context)
  await countFailures(db, account, caller, now)
  await insertFailure(db, codeKey(account.user_id, use), now)
  await appendSecurityEvent(db, context, {
    event_type: use === 'verify' ? 'sign_in_failed' : 'confirm_failed',
    user_id: account.user_id,
    details: { by: 'totp' },
  })
  return false
}
