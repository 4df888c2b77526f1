import { notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { deleteKey } from '#src/storage/accounts/api-keys.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** Deletes a key of the caller. Answers the hash of what was ended. */
export const removeKey = defineStep({
  name: 'removeKey',
  effect: 'write',
  async run(context, { key_id: given }: { key_id: string }): Promise<{ ended: string[] }> {
    const { db, caller } = context
    const key_id = parseUlid(given)
    const gone = key_id && (await deleteKey(db, caller.user_id!, key_id))
    if (!gone) throw notFound('key', given, { suggestion: 'List yours with GET /api/keys' })
    await appendSecurityEvent(db, context, {
      event_type: 'key_revoked',
      user_id: caller.user_id,
      details: { key_id, name: gone.name },
    })
    return { ended: [gone.key_hash] }
  },
})
