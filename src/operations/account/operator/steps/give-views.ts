import { emailKey } from '#src/auth/email.ts'
import { accountNamed, type Who } from '#src/operations/account/operator/account-named.ts'
import { defineStep } from '#src/operations/step.ts'
import { giveWaitingViews } from '#src/storage/views/waiting-views.ts'

/** Gives an account the views that were imported without their owner and wait for its address. */
export const giveViews = defineStep({
  name: 'giveViews',
  effect: 'write',
  async run({ db }, { who }: Who) {
    const account = await accountNamed(db, who)
    return { ...account, given_views: await giveWaitingViews(db, account.user_id, emailKey(account.email)) }
  },
})
