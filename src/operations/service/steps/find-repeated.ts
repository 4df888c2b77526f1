import type { KeyedRequest } from '#src/domain/idempotency.ts'
import { Reply } from '#src/domain/reply.ts'
import { repeated } from '#src/operations/idempotency.ts'
import { defineStep } from '#src/operations/step.ts'

/** What was answered to the same request under its key; the answer `null` where nothing was. */
export const findRepeated = defineStep<KeyedRequest, unknown>({
  name: 'findRepeated',
  effect: 'read',
  run: async (context, request) => (await repeated(context, request)) ?? new Reply('null'),
})
