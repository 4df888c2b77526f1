import { defineStep } from '#src/operations/step.ts'
import { selectLease } from '#src/storage/webhooks/lease.ts'

/** Which process delivers; null: none. */
export const findLease = defineStep({
  name: 'findLease',
  effect: 'read',
  run: ({ db }) => selectLease(db),
})
