import { defineStep } from '#src/operations/step.ts'
import { deleteExpiredRows } from '#src/storage/accounts/expired-rows.ts'

/** Rows of each kind in one transaction: other writes wait meanwhile. */
const BATCH = 1000

/** Deletes sessions, challenges, sign-ins and failures whose time is over. */
export const sweepExpired = defineStep({
  name: 'sweepExpired',
  effect: 'write',
  async run({ db, now }) {
    return deleteExpiredRows(db, now, BATCH)
  },
})
