import { userOf } from '#src/domain/caller.ts'
import type { StoredAnswer, KeyedRequest } from '#src/domain/idempotency.ts'
import { Reply } from '#src/domain/reply.ts'
import { repeated } from '#src/runtime/idempotency.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { dropAnswer, findStoredAnswer, storeAnswer } from '#src/storage/idempotency/stored-answers.ts'

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
  async run({ db, caller, now }, { request, answer }: { request: KeyedRequest; answer: StoredAnswer }) {
    await storeAnswer(db, userOf(caller), request, answer, now)
    return null
  },
})

/** What was begun under a key has failed, so that its answer is not true any more. */
export const forgetKept = defineStep<KeyedRequest, null>({
  name: 'forgetKept',
  effect: 'write',
  async run({ db, caller }, { key }) {
    await dropAnswer(db, userOf(caller), key)
    return null
  },
})

/** A refusal changes nothing, so it is kept by itself, unless somebody was faster. */
export const keepFailure = defineStep({
  name: 'keepFailure',
  effect: 'write',
  async run({ db, caller, now }, { request, answer }: { request: KeyedRequest; answer: StoredAnswer }) {
    const user_id = userOf(caller)
    if (!(await findStoredAnswer(db, user_id, request.key, now)))
      await storeAnswer(db, user_id, request, answer, now)
    return null
  },
})
