import { defineStep } from '#src/operations/step.ts'
import { enterDrafts } from '#src/storage/audit-drafts.ts'

/** Enters some of what large changes have recorded into the log; whether something is left. */
export const enterDraftedEvents = defineStep<object, { left: boolean }>({
  name: 'enterDraftedEvents',
  effect: 'write',
  run: async ({ db }) => ({ left: await enterDrafts(db) }),
})
