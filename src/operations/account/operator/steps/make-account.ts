import { emailKey } from '#src/auth/email.ts'
import type { Role } from '#src/domain/caller.ts'
import { conflict } from '#src/domain/errors.ts'
import { defineStep } from '#src/operations/step.ts'
import { insertAccount, isFirstAccount } from '#src/storage/accounts/accounts.ts'
import { deleteSetupInvitations } from '#src/storage/accounts/invitations.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { type ListedUser, listedUser } from '#src/storage/accounts/users.ts'

interface NewAccount {
  email: string
  password_hash: string
  /** null: what it would get by registering. */
  role: Role | null
  default_role: Role
}

/** Makes an account for an operator. */
export const makeAccount = defineStep({
  name: 'makeAccount',
  effect: 'write',
  async run(context, { email, password_hash, role: given, default_role }: NewAccount): Promise<ListedUser> {
    const { db, now, newId } = context
    const first = await isFirstAccount(db)
    const role = given ?? (first ? 'owner' : default_role)
    if (first && role !== 'owner')
      throw conflict('The first account of a base is its owner', { suggestion: 'Make the owner first' })
    const user_id = newId()
    const made = await insertAccount(db, {
      user_id,
      email,
      email_key: emailKey(email),
      display_name: null,
      password_hash,
      email_proven_at: null,
      created_at: now.toISOString(),
      role,
    })
    if (!made) throw conflict(`${email} has an account already`)
    if (first) await deleteSetupInvitations(db)
    await appendSecurityEvent(db, context, { event_type: 'registered', user_id, details: { role } })
    return (await listedUser(db, user_id))!
  },
})
