import { trimEmail } from '#src/auth/email.ts'
import type { Role } from '#src/domain/caller.ts'
import { conflict } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { admit, type Terms } from '#src/operations/account/invitation/admission.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { isFirstAccount } from '#src/storage/accounts/accounts.ts'
import { insertInvitation, openInvitations } from '#src/storage/accounts/invitations.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

const DAY = 24 * 60 * 60 * 1000
const MAX_OPEN = 1000

interface NewInvitation {
  role: Role
  email: string | null
  expires_in_days: number
  token_hash: string
}

/** Keeps an invitation by the caller. */
export const addInvitation = defineStep({
  name: 'addInvitation',
  effect: 'write',
  still: 'owner',
  async run(context, { role, email, expires_in_days, token_hash }: NewInvitation) {
    const { db, caller, now, newId } = context
    if ((await openInvitations(db, now)).length >= MAX_OPEN)
      throw conflict(`There are ${MAX_OPEN} open invitations already`, {
        suggestion: 'Revoke some with DELETE /api/invitations/{invitation_id}',
      })
    const invitation = {
      invitation_id: newId(),
      role,
      email: email === null ? null : trimEmail(email),
      created_by: caller.user_id as Ulid,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + expires_in_days * DAY).toISOString(),
    }
    await insertInvitation(db, { ...invitation, token_hash })
    await appendSecurityEvent(db, context, {
      event_type: 'invitation_created',
      user_id: null,
      details: { invitation_id: invitation.invitation_id, role, email: invitation.email },
    })
    return invitation
  },
})

/** Whether nobody has an account yet. */
export const baseIsNew = defineStep({
  name: 'baseIsNew',
  effect: 'read',
  inline: true,
  run: ({ db }): Promise<boolean> => isFirstAccount(db),
})

interface Applicant {
  terms: Terms
  email: string
  invitation_hash: string | null
}

/** Refuses who may not make an account, before anything costly is done. */
export const checkAdmission = defineStep({
  name: 'checkAdmission',
  effect: 'read',
  async run(context, { terms, ...who }: Applicant) {
    await admit(context, terms, who)
    return null
  },
})

/** Good until there is an account. */
const NEVER = '9999-12-31T23:59:59.999Z'

/** Keeps the token of the first account, where there is none; answers whether it is needed. */
export const makeSetupToken = defineStep({
  name: 'makeSetupToken',
  effect: 'write',
  async run({ db, now, newId }, { token_hash }: { token_hash: string }): Promise<boolean> {
    if (!(await isFirstAccount(db))) return false
    await insertInvitation(db, {
      invitation_id: newId(),
      token_hash,
      role: 'owner',
      email: null,
      created_by: null,
      created_at: now.toISOString(),
      expires_at: NEVER,
    })
    return true
  },
})
