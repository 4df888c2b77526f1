import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { checkAnswers } from '#src/storage/schema/check-answers.ts'

/** Fails while the database does not take writes. */
export const checkReady = defineOperation({
  name: 'checkReady',
  summary: 'Ask the writer whether it works.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({}),
  output: Type.Object({ status: Type.Literal('ok') }),
  async run({ db }) {
    await checkAnswers(db)
    return { status: 'ok' as const }
  },
})
