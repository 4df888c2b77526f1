import { userOf } from '#src/domain/caller.ts'
import type { KeptAnswer, KeyedRequest } from '#src/domain/idempotency.ts'
import { Reply } from '#src/domain/reply.ts'
import { repeated } from '#src/runtime/idempotency.ts'
import { defineStep } from '#src/runtime/step.ts'
import { findKeptAnswer, keepAnswer } from '#src/storage/idempotency/kept-answers.ts'

/** What was answered to the same request under its key; the answer `null` where nothing was. */
export const findRepeated = defineStep<KeyedRequest, unknown>({
  name: 'findRepeated',
  effect: 'read',
  run: async (context, request) => (await repeated(context, request)) ?? new Reply('null'),
})

/** What was answered in the transaction of a change, and has been read anew behind it, takes the place of what was kept there. */
export const keepAnew = defineStep({
  name: 'keepAnew',
  effect: 'write',
  async run({ db, caller, now }, { request, answer }: { request: KeyedRequest; answer: KeptAnswer }) {
    await keepAnswer(db, userOf(caller), request, answer, now)
    return null
  },
})

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
