import { firstUlidAt } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { dropOldDeliveries } from '#src/storage/webhooks/old-deliveries.ts'

/** What was delivered is kept so long. */
const KEPT = 30 * 24 * 60 * 60 * 1000
/** Rows of each webhook in one transaction: other writes wait meanwhile. */
const BATCH = 1000

/** Deletes deliveries that are over; answers whether there are more. */
export const sweepDeliveries = defineStep({
  name: 'sweepDeliveries',
  effect: 'write',
  run: ({ db, now }): Promise<boolean> =>
    dropOldDeliveries(db, firstUlidAt(Math.max(0, now.getTime() - KEPT)), BATCH),
})
