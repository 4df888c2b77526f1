import { Type } from 'typebox'
import { UserInfo } from '#src/operations/account/account-schemas.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { listAccounts } from '#src/storage/accounts/list-accounts.ts'

const MAX_PAGE = 500

export const listUsers = defineOperation({
  name: 'listUsers',
  summary: 'All accounts, oldest first, a page at a time.',
  access: 'internal',
  effect: 'read',
  input: Type.Object({
    /** Id of the last user of the page before. */
    after: Type.Optional(Type.String()),
  }),
  output: Type.Array(Type.Intersect([UserInfo, Type.Object({ sessions: Type.Integer() })])),
  async run({ db, now }, { after = '' }) {
    return listAccounts(db, { after, limit: MAX_PAGE, now })
  },
})
