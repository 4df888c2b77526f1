import { defineStep } from '#src/operations/step.ts'
import { checkAnswers } from '#src/storage/schema/check-answers.ts'

/** Fails while the database does not take writes. */
export const checkReady = defineStep({
  name: 'checkReady',
  effect: 'write',
  async run({ db }) {
    await checkAnswers(db)
    return { status: 'ok' as const }
  },
})
