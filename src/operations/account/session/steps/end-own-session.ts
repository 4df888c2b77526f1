import { notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { deleteSessionOfId } from '#src/storage/accounts/sessions.ts'

/** Ends a session of the caller. */
export const endOwnSession = defineStep({
  name: 'endOwnSession',
  effect: 'write',
  async run(context, { session_id: given }: { session_id: string }): Promise<{ ended: string[] }> {
    const { db, caller } = context
    const session_id = parseUlid(given)
    const ended = session_id === null ? [] : await deleteSessionOfId(db, caller.user_id!, session_id)
    if (!ended.length)
      throw notFound('session', given, { suggestion: 'List yours with GET /api/auth/sessions' })
    await appendSecurityEvent(db, context, {
      event_type: 'session_ended',
      user_id: caller.user_id,
      details: { session_id },
    })
    return { ended }
  },
})
