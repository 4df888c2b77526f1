import { emailKey } from '#src/auth/email.ts'
import { unauthorized } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { countTaken, refuseAfterTaken } from '#src/operations/account/password/taken-addresses.ts'
import { deleteAccount, refuseLastOwner } from '#src/operations/account/users/change-account.ts'
import type { WaysIn } from '#src/operations/account/users/ways-in.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import {
  findAccount,
  findUser,
  selectCredentials,
  setEmail,
  setEmailSpelling,
  type User,
} from '#src/storage/accounts/accounts.ts'
import { endResetLink } from '#src/storage/accounts/reset-links.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { deleteSessionsOf, setProven } from '#src/storage/accounts/sessions.ts'
import { listedUser } from '#src/storage/accounts/users.ts'

/**
 * Gives the caller another address and ends their other sessions; the same one in other upper and lower case ends nothing.
 * `proven`: who they are, so that the session that asks is fresh. Null: the address is taken.
 */
export const replaceEmail = defineStep({
  name: 'replaceEmail',
  effect: 'write',
  still: 'own',
  async run(
    context,
    { email, proven }: { email: string; proven: boolean },
  ): Promise<{ user: User; ended: string[] } | null> {
    const { db, caller, now } = context
    const user_id = caller.user_id!
    const account = await findAccount(db, user_id)
    if (!account) throw unauthorized('This account is gone')
    await refuseAfterTaken(context)
    const holder = await selectCredentials(db, emailKey(email))
    if (holder && holder.user_id !== user_id) {
      await countTaken(context)
      return null
    }
    const ended = await moveTo(context, account, email)
    if (proven) await setProven(db, caller.session!.token_hash, now)
    if (email !== account.email)
      await appendSecurityEvent(db, context, {
        event_type: 'email_changed',
        user_id,
        details: { from: account.email, to: email },
      })
    return { user: (await findUser(db, user_id))!, ended }
  },
})

/** Answers the hashes of the sessions that ended. */
async function moveTo(
  { db, caller, now }: SqlContext,
  { user_id, email_key }: { user_id: Ulid; email_key: string },
  email: string,
): Promise<string[]> {
  if (emailKey(email) === email_key) {
    await setEmailSpelling(db, user_id, email)
    return []
  }
  await setEmail(db, user_id, { email, email_key: emailKey(email), changed_at: now.toISOString() })
  await endResetLink(db, user_id)
  return deleteSessionsOf(db, user_id, { except: caller.session?.token_hash })
}

/** Deletes the caller's account. */
export const removeOwnAccount = defineStep({
  name: 'removeOwnAccount',
  effect: 'write',
  still: 'own',
  async run(context, { ways }: { ways: WaysIn }): Promise<{ ended: string[] }> {
    const user = await listedUser(context.db, context.caller.user_id!)
    if (!user) throw unauthorized('This account is gone')
    if (user.role === 'owner') await refuseLastOwner(context, user.user_id, ways)
    return { ended: await deleteAccount(context, user) }
  },
})
