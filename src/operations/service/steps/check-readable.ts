import { defineStep } from '#src/operations/step.ts'
import { checkAnswers } from '#src/storage/schema/check-answers.ts'

/** Fails while the database is out of reach, however busy its writer is. */
export const checkReadable = defineStep({
  name: 'checkReadable',
  effect: 'read',
  inline: true,
  async run({ db }) {
    await checkAnswers(db)
    return null
  },
})
