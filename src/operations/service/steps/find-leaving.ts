import { defineStep } from '#src/operations/step.ts'
import { isAnyLeaving } from '#src/storage/items/leaving-items.ts'

/** Whether large deletions have left something in the indexes. */
export const findLeaving = defineStep<object, { left: boolean }>({
  name: 'findLeaving',
  effect: 'read',
  run: async ({ db }) => ({ left: await isAnyLeaving(db) }),
})
