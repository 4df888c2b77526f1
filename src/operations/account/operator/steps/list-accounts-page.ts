import { defineStep } from '#src/operations/step.ts'
import { type ListedAccount, listAccounts } from '#src/storage/accounts/list-accounts.ts'

const MAX_PAGE = 500

/** All accounts, oldest first, a page at a time; `after`: id of the last user of the page before. */
export const listAccountsPage = defineStep({
  name: 'listAccountsPage',
  effect: 'read',
  run: ({ db, now }, { after }: { after: string }): Promise<ListedAccount[]> =>
    listAccounts(db, { after, limit: MAX_PAGE, now }),
})
