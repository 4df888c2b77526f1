import { emailKey } from '#src/auth/email.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { endAccess } from '#src/operations/account/users/end-access.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { findAccount, setEmailProven, setPasswordHash } from '#src/storage/accounts/accounts.ts'
import { deleteAllIdentitiesOf, type IdentityKey, insertIdentity } from '#src/storage/accounts/identities.ts'
import { deletePasskeysOf } from '#src/storage/accounts/passkeys.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { deletePendingTotp, deleteTotp } from '#src/storage/accounts/totp.ts'
import { deletePendingRegistrations } from '#src/storage/accounts/webauthn-challenges.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

export interface NewLink extends IdentityKey {
  email: string | null
  email_verified: boolean
  linking: 'merge' | 'strict'
  /** The session that links has not proved itself. */
  unproven?: boolean
}

/**
 * Links an identity to an account. Anyone who was signed in before may have been somebody who registered with an
 * address that is not theirs (account pre-hijacking), so older sessions and pending enrolments end (decision 62).
 * Answers the hashes of what was ended.
 */
export async function linkIdentity(context: SqlContext, link: NewLink, user_id: Ulid): Promise<string[]> {
  const { db, now } = context
  const account = (await findAccount(db, user_id))!
  const proves = link.email_verified && link.email !== null && emailKey(link.email) === account.email_key
  const firstProof = proves && account.email_proven_at === null
  const locksOut = firstProof && link.linking === 'strict'
  const ended = locksOut ? await lockOut(context, user_id) : []
  if (firstProof) await setEmailProven(db, user_id, now)
  await insertIdentity(db, link, user_id, now)
  await appendSecurityEvent(db, context, {
    event_type: 'provider_linked',
    user_id,
    actor_id: user_id,
    details: {
      provider: link.provider,
      ...(link.unproven && { unproven: true }),
      ...(locksOut && { locked_out: true }),
    },
  })
  await deletePendingTotp(db, user_id)
  await deletePendingRegistrations(db, user_id)
  return [...ended, ...(await deleteSessionsOf(db, user_id))]
}

/**
 * Ends everything that somebody who never owned the address may have set up to come back, or to let others in.
 * Answers the hashes of the tokens that ended.
 */
async function lockOut(context: SqlContext, user_id: Ulid): Promise<string[]> {
  const { db } = context
  await setPasswordHash(db, user_id, null)
  await deleteTotp(db, user_id)
  await deletePasskeysOf(db, user_id)
  await deleteAllIdentitiesOf(db, user_id)
  return endAccess(context, user_id, 'locked out')
}
