import { defineStep } from '#src/operations/step.ts'
import { isFirstAccount } from '#src/storage/accounts/accounts.ts'

/** Whether nobody has an account yet. */
export const baseIsNew = defineStep({
  name: 'baseIsNew',
  effect: 'read',
  inline: true,
  run: ({ db }): Promise<boolean> => isFirstAccount(db),
})
