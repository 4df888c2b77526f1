import type { Ulid } from '#src/domain/ulid.ts'
import { suspendWebhooks } from '#src/operations/webhooks/end-webhooks.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { deleteKeysOf } from '#src/storage/accounts/api-keys.ts'
import { deleteAppsOf, tokenOfApp } from '#src/storage/accounts/apps.ts'
import { removeOpenInvitations } from '#src/storage/accounts/invitations.ts'
import { tokensOf } from '#src/storage/accounts/live-tokens.ts'
import { endResetLink, endResetLinksBy } from '#src/storage/accounts/reset-links.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { deleteChallengesOf } from '#src/storage/accounts/webauthn-challenges.ts'

/** What became of an account, or (`locked out`) of whoever had it before its address was proven. */
export type Loss = 'lowered' | 'disabled' | 'deleted' | 'locked out'

/**
 * Ends what somebody made with rights that they have no longer: what lets others in, and what reads on. One who is
 * lowered stays signed in; of anybody else all ends by which they are in. It stays ended.
 * Answers the hashes of the tokens whose open streams end.
 */
export async function endAccess(context: SqlContext, user_id: Ulid, loss: Loss): Promise<string[]> {
  const { db } = context
  await revokeInvitations(context, user_id, loss)
  await endResetLinksBy(db, user_id)
  await suspendWebhooks(context, user_id, `Whoever made it was ${loss}: an owner may take it over`)
  if (loss === 'lowered') return tokensOf(db, user_id)
  await endResetLink(db, user_id)
  await deleteChallengesOf(db, user_id)
  const apps = (await deleteAppsOf(db, user_id)).map(tokenOfApp)
  return [...(await deleteSessionsOf(db, user_id)), ...(await deleteKeysOf(db, user_id)), ...apps]
}

async function revokeInvitations(context: SqlContext, user_id: Ulid, loss: Loss): Promise<void> {
  const { db } = context
  for (const invitation_id of await removeOpenInvitations(db, user_id))
    await appendSecurityEvent(db, context, {
      event_type: 'invitation_revoked',
      user_id: null,
      details: { invitation_id, reason: `whoever made it was ${loss}` },
    })
}
