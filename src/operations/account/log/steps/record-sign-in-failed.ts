import type { Ulid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** Records a sign-in that nothing counts; `user_id` null: of nobody who is known. */
export const recordSignInFailed = defineStep({
  name: 'recordSignInFailed',
  effect: 'write',
  async run(context, { user_id, by }: { user_id: Ulid | null; by: string }) {
    await appendSecurityEvent(context.db, context, {
      event_type: 'sign_in_failed',
      user_id,
      details: { by },
    })
    return null
  },
})
