import type { Ulid } from '#src/domain/ulid.ts'
import { minuteOf } from '#src/domain/iso-time.ts'
import { expiryOf } from '#src/auth/session.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { touchAccount } from '#src/storage/accounts/accounts.ts'
import { deleteOldestSessions, deleteSession, insertSession } from '#src/storage/accounts/sessions.ts'

export interface SessionStart {
  user_id: Ulid
  token_hash: string
  state: 'partial' | 'full'
  /** Of the session that goes on in it; without it, it begins now and has just proved itself. */
  from?: { created_at: string; proven_at: string } | undefined
}

/** Of one account, those that still owe a second factor among them; a further sign-in ends the oldest. */
const MAX_SESSIONS = 1000

/** A session of the caller's browser; the one that it had is replaced (decision 60). Answers the hashes of what was ended. */
export async function startSession(
  { db, caller, now, newId, change }: SqlContext,
  { user_id, token_hash, state, from }: SessionStart,
): Promise<string[]> {
  change.concerns.add(user_id)
  const ended = caller.session ? await deleteSession(db, caller.session.token_hash) : []
  ended.push(...(await deleteOldestSessions(db, user_id, MAX_SESSIONS - 1)))
  const expires_at = expiryOf(state, now).toISOString()
  const begun = now.toISOString()
  const { created_at, proven_at } = from ?? { created_at: begun, proven_at: begun }
  await insertSession(db, {
    token_hash,
    user_id,
    state,
    created_at,
    expires_at,
    session_id: newId(),
    user_agent: caller.user_agent,
    address: caller.address,
    proven_at,
  })
  if (state === 'full') await touchAccount(db, user_id, minuteOf(now.getTime()))
  return ended
}
