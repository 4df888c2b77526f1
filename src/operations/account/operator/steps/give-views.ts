import { Type } from 'typebox'
import { emailKey } from '#src/auth/email.ts'
import { accountNamed } from '#src/operations/account/operator/account-named.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { giveWaitingViews } from '#src/storage/views/waiting-views.ts'

export const giveViews = defineOperation({
  name: 'giveViews',
  summary: 'Gives an account the views that were imported without their owner and wait for its address.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    /** E-mail address or user id. */
    who: Type.String(),
  }),
  output: Type.Object({ user_id: Type.String(), email: Type.String(), given_views: Type.Integer() }),
  async run({ db }, { who }) {
    const account = await accountNamed(db, who)
    return { ...account, given_views: await giveWaitingViews(db, account.user_id, emailKey(account.email)) }
  },
})
