import type { Scope } from '#src/domain/caller.ts'
import { userOf } from '#src/domain/caller.ts'
import { conflict } from '#src/domain/errors.ts'
import { defineStep } from '#src/operations/step.ts'
import { appsOf, insertApp } from '#src/storage/accounts/apps.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

const MAX_APPS = 200

interface AddedApp {
  client_id: string
  name: string
  client_uri: string | null
  scope: Scope
}

/** The caller lets an app act for them. Answers its id. */
export const addApp = defineStep({
  name: 'addApp',
  effect: 'write',
  async run(context, { client_id, name, client_uri, scope }: AddedApp): Promise<{ app_id: string }> {
    const { db, caller, now, newId } = context
    const user_id = userOf(caller)
    if ((await appsOf(db, user_id)).length >= MAX_APPS)
      throw conflict(`An account has at most ${MAX_APPS} apps`, {
        suggestion: 'End one with DELETE /api/auth/apps/{app_id}',
      })
    const app_id = newId()
    const created_at = now.toISOString()
    await insertApp(db, { app_id, user_id, client_id, name, client_uri, scope, created_at })
    await appendSecurityEvent(db, context, {
      event_type: 'app_authorized',
      user_id,
      details: { app_id, name, scope },
    })
    return { app_id }
  },
})
