import { forbidden, unauthorized } from '#src/domain/errors.ts'
import { readerMayNot } from '#src/runtime/may-call.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { liveTokens } from '#src/storage/accounts/live-tokens.ts'
import { listedUser } from '#src/storage/accounts/users.ts'

/**
 * Whether the caller still may, where they could when the request came: within the change that hands out access, as a
 * request that waited alongside the one that ended its rights would hand out what nothing ends any more; and before a
 * change that has waited for long.
 * @throws Unauthorized, Forbidden
 */
export async function checkStillMay(
  { db, caller, now }: Pick<SqlContext, 'db' | 'caller' | 'now'>,
  needs: 'own' | 'editor' | 'owner',
): Promise<void> {
  const { token_hash, user_id } = caller
  if (token_hash === null || user_id === null) return // an operator
  if (!(await liveTokens(db, [token_hash], now)).has(token_hash))
    throw unauthorized('Not signed in', { suggestion: 'Sign in with POST /api/auth/login' })
  if (needs === 'own') return
  const role = (await listedUser(db, user_id))?.role
  if (needs === 'owner' && role !== 'owner')
    throw forbidden('Only an owner may do this', { suggestion: 'Ask an owner of this base' })
  if (role === 'reader') throw readerMayNot(caller)
}
