import { defineStep } from '#src/operations/step.ts'
import { deleteApp, tokenOfApp } from '#src/storage/accounts/apps.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** Ends an app that gave its access back, or whose code or refresh token came twice. One that is gone stays so. */
export const endApp = defineStep({
  name: 'endApp',
  effect: 'write',
  async run(context, { app_id }: { app_id: string }): Promise<{ ended: string[] }> {
    const gone = await deleteApp(context.db, app_id)
    if (!gone) return { ended: [] }
    await appendSecurityEvent(context.db, context, {
      event_type: 'app_revoked',
      user_id: gone.user_id,
      details: { app_id, name: gone.name },
    })
    return { ended: [tokenOfApp(app_id)] }
  },
})
