import { accountKeys } from '#src/auth/login-failures.ts'
import { conflict, forbidden } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { knownUser } from '#src/operations/account/users/known-user.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { findAccount, setPasswordHash } from '#src/storage/accounts/accounts.ts'
import { clearAllFailures } from '#src/storage/accounts/login-failures.ts'
import { findResetLink, putResetLink } from '#src/storage/accounts/reset-links.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'

const LIFE = 24 * 60 * 60 * 1000

/** Keeps a link by which somebody may set a new password. */
export const addResetLink = defineStep({
  name: 'addResetLink',
  effect: 'write',
  still: 'owner',
  async run(context, { who, token_hash }: { who: string; token_hash: string }) {
    const { db, caller, now } = context
    const { user_id, role, disabled } = await knownUser(context, who)
    if (role === 'owner')
      throw conflict('The password of an owner is set by nobody else', {
        suggestion:
          'They change it themselves, or the operator does by `npm run facet -- user reset-password`',
      })
    if (disabled) throw conflict('The account is disabled', { suggestion: 'Enable it first' })
    const expires_at = new Date(now.getTime() + LIFE).toISOString()
    await putResetLink(db, { user_id, token_hash, created_by: caller.user_id!, expires_at })
    await appendSecurityEvent(db, context, {
      event_type: 'reset_link_created',
      user_id,
      details: { expires_at },
    })
    return { expires_at }
  },
})

/** Refuses a token that sets nobody's password, before anything costly is done. */
export const checkResetLink = defineStep({
  name: 'checkResetLink',
  effect: 'read',
  async run({ db, now }, { token_hash }: { token_hash: string }): Promise<Ulid> {
    return (await findResetLink(db, token_hash, now)) ?? refuse()
  },
})

interface NewPassword {
  token_hash: string
  password_hash: string
}

/** Sets the password of the account to which a link leads, which uses the link up, and ends all sessions. */
export const takeResetLink = defineStep({
  name: 'takeResetLink',
  effect: 'write',
  async run(context, { token_hash, password_hash }: NewPassword): Promise<{ ended: string[] }> {
    const { db, now } = context
    const user_id = (await findResetLink(db, token_hash, now)) ?? refuse()
    const account = (await findAccount(db, user_id))!
    await setPasswordHash(db, user_id, password_hash)
    await clearAllFailures(db, accountKeys(account))
    await appendSecurityEvent(db, context, {
      event_type: 'password_changed',
      user_id,
      actor_id: user_id,
      details: { by: 'reset_link' },
    })
    return { ended: await deleteSessionsOf(db, user_id) }
  },
})

/** One answer, whatever is wrong with the link: it tells nobody which there were. */
function refuse(): never {
  throw forbidden('This link is unknown, was used, or has ended', {
    suggestion: 'Ask an owner of this base for a new one',
  })
}
