import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { deleteExpiredRows } from '#src/storage/accounts/expired-rows.ts'

/** Rows of each kind in one transaction: other writes wait meanwhile. */
const BATCH = 1000

export const sweepExpired = defineOperation({
  name: 'sweepExpired',
  summary: 'Deletes sessions, challenges, sign-ins and failures whose time is over.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({}),
  output: Type.Object({ ended: Type.Array(Type.String()), more: Type.Boolean() }),
  async run({ db, now }) {
    return deleteExpiredRows(db, now, BATCH)
  },
})
