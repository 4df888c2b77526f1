import { defineStep } from '#src/operations/step.ts'
import { takeSomeOut } from '#src/storage/items/leaving-items.ts'

/** Items in one transaction, for which others wait. */
const AT_ONCE = 500

/** Takes some of what large deletions have left in the indexes out of them; whether something is left. */
export const clearIndexes = defineStep<object, { left: boolean }>({
  name: 'clearIndexes',
  effect: 'write',
  run: async ({ db }) => ({ left: await takeSomeOut(db, AT_ONCE) }),
})
