import { defineStep } from '#src/operations/step.ts'
import { isFirstAccount } from '#src/storage/accounts/accounts.ts'
import { insertInvitation } from '#src/storage/accounts/invitations.ts'

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
