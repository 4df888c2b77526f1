import { emailKey } from '#src/auth/email.ts'
import { badRequest, unauthorized } from '#src/domain/errors.ts'
import { deleteAccount, refuseLastOwner } from '#src/operations/account/users/change-account.ts'
import type { WaysIn } from '#src/operations/account/users/ways-in.ts'
import { defineStep } from '#src/runtime/operation.ts'
import {
  findAccount,
  findUser,
  selectCredentials,
  setEmail,
  type User,
} from '#src/storage/accounts/accounts.ts'
import { endResetLink } from '#src/storage/accounts/reset-links.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { deleteSessionsOf, setProven } from '#src/storage/accounts/sessions.ts'
import { listedUser } from '#src/storage/accounts/users.ts'

/** Gives the caller another address and ends their other sessions; `proven`: who they are, so that the one that asks is fresh. */
export const replaceEmail = defineStep({
  name: 'replaceEmail',
  effect: 'write',
  async run(
    context,
    { email, proven }: { email: string; proven: boolean },
  ): Promise<{ user: User; ended: string[] }> {
    const { db, caller, now } = context
    const user_id = caller.user_id!
    const account = await findAccount(db, user_id)
    if (!account) throw unauthorized('This account is gone')
    const holder = await selectCredentials(db, emailKey(email))
    if (holder && holder.user_id !== user_id)
      throw badRequest('This e-mail address is already registered', {
        details: { errors: [{ path: 'email', message: 'is already registered' }] },
      })
    await setEmail(db, user_id, { email, email_key: emailKey(email), changed_at: now.toISOString() })
    await endResetLink(db, user_id)
    const ended = await deleteSessionsOf(db, user_id, { except: caller.session?.token_hash })
    if (proven) await setProven(db, caller.session!.token_hash, now)
    await appendSecurityEvent(db, context, {
      event_type: 'email_changed',
      user_id,
      details: { from: account.email, to: email },
    })
    return { user: (await findUser(db, user_id))!, ended }
  },
})

/** Deletes the caller's account. */
export const removeOwnAccount = defineStep({
  name: 'removeOwnAccount',
  effect: 'write',
  async run(context, { ways }: { ways: WaysIn }): Promise<{ ended: string[] }> {
    const user = await listedUser(context.db, context.caller.user_id!)
    if (!user) throw unauthorized('This account is gone')
    if (user.role === 'owner') await refuseLastOwner(context, user.user_id, ways)
    return { ended: await deleteAccount(context, user) }
  },
})
