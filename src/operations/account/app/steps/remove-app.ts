import { userOf } from '#src/domain/caller.ts'
import { notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { deleteApp, tokenOfApp } from '#src/storage/accounts/apps.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** Ends an app of the caller. Answers what stood for its tokens. */
export const removeApp = defineStep({
  name: 'removeApp',
  effect: 'write',
  async run(context, { app_id: given }: { app_id: string }): Promise<{ ended: string[] }> {
    const { db, caller } = context
    const user_id = userOf(caller)
    const app_id = parseUlid(given)
    const gone = app_id && (await deleteApp(db, app_id, user_id))
    if (!gone) throw notFound('app', given, { suggestion: 'List yours with GET /api/auth/apps' })
    await appendSecurityEvent(db, context, {
      event_type: 'app_revoked',
      user_id,
      details: { app_id, name: gone.name },
    })
    return { ended: [tokenOfApp(app_id)] }
  },
})
