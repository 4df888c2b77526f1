import { Type } from 'typebox'
import { badRequest, unauthorized } from '#src/domain/errors.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { findAccount } from '#src/storage/accounts/accounts.ts'
import { findTotp, insertPendingTotp } from '#src/storage/accounts/totp.ts'

export const savePendingTotp = defineOperation({
  name: 'savePendingTotp',
  summary: 'Keeps a TOTP secret until it is confirmed.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    /** Sealed. */
    secret: Type.String(),
  }),
  output: Type.Object({ email: Type.String() }),
  async run({ db, caller, now }, { secret }) {
    const account = await findAccount(db, caller.user_id!)
    if (!account) throw unauthorized('This account is gone')
    if ((await findTotp(db, account.user_id))?.state === 'active')
      throw badRequest('TOTP is active already', {
        suggestion: 'Disable it first with POST /api/auth/2fa/totp/disable',
      })
    await insertPendingTotp(db, account.user_id, secret, now)
    return { email: account.email }
  },
})
