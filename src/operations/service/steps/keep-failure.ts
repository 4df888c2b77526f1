import { userOf } from '#src/domain/caller.ts'
import type { KeptAnswer, KeyedRequest } from '#src/domain/idempotency.ts'
import { defineStep } from '#src/operations/step.ts'
import { findKeptAnswer, keepAnswer } from '#src/storage/idempotency/kept-answers.ts'

/** A refusal changes nothing, so it is kept by itself, unless somebody was faster. */
export const keepFailure = defineStep({
  name: 'keepFailure',
  effect: 'write',
  async run({ db, caller, now }, { request, answer }: { request: KeyedRequest; answer: KeptAnswer }) {
    const user_id = userOf(caller)
    if (!(await findKeptAnswer(db, user_id, request.key, now)))
      await keepAnswer(db, user_id, request, answer, now)
    return null
  },
})
