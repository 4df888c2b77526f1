import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { checkAnswers } from '#src/storage/schema/check-answers.ts'

/** Fails while the database is out of reach, however busy its writer is. */
export const checkReadable = defineOperation({
  name: 'checkReadable',
  summary: 'Ask the database whether it is there.',
  access: 'internal',
  effect: 'read',
  inline: true,
  input: Type.Object({}),
  output: Type.Null(),
  async run({ db }) {
    await checkAnswers(db)
    return null
  },
})
