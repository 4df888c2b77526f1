import { type Scope, userOf } from '#src/domain/caller.ts'
import { conflict, notFound } from '#src/domain/errors.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { type StoredLimit, shownLimit } from '#src/domain/limit.ts'
import { type GivenLimit, keptLimit, loggedLimit } from '#src/operations/account/kept-limit.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { touchAccount } from '#src/storage/accounts/accounts.ts'
import {
  appsOf,
  deleteApp,
  insertApp,
  type LiveApp,
  selectAppByToken,
  tokenOfApp,
  updateAppUse,
} from '#src/storage/accounts/apps.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

const MAX_APPS = 200

interface AddedApp {
  client_id: string
  name: string
  client_uri: string | null
  scope: Scope
  limit?: GivenLimit | undefined
}

/** The caller lets an app act for them. Answers its id. */
export const addApp = defineStep({
  name: 'addApp',
  effect: 'write',
  still: 'own',
  async run(context, { client_id, name, client_uri, scope, limit }: AddedApp): Promise<{ app_id: string }> {
    const { db, caller, now, newId } = context
    const user_id = userOf(caller)
    if ((await appsOf(db, user_id)).length >= MAX_APPS)
      throw conflict(`An account has at most ${MAX_APPS} apps`, {
        suggestion: 'End one with DELETE /api/auth/apps/{app_id}',
      })
    const app_id = newId()
    const created_at = now.toISOString()
    const limited_to = limit ? (await keptLimit(context, limit, user_id)).limited_to : null
    await insertApp(db, { app_id, user_id, client_id, name, client_uri, scope, created_at, limited_to })
    await appendSecurityEvent(db, context, {
      event_type: 'app_authorized',
      user_id,
      details: {
        app_id,
        name,
        scope,
        ...(limited_to !== null && { limit: loggedLimit(shownLimit(JSON.parse(limited_to) as StoredLimit)) }),
      },
    })
    return { app_id }
  },
})

/** Ends an app of the caller. Answers what stood for its tokens. */
export const removeApp = defineStep({
  name: 'removeApp',
  effect: 'write',
  still: 'own',
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

/** Notes in which minute an app was used. */
export const touchApp = defineStep({
  name: 'touchApp',
  effect: 'write',
  async run({ db }, { app_id, user_id, minute }: { app_id: Ulid; user_id: Ulid; minute: string }) {
    await updateAppUse(db, app_id, minute)
    await touchAccount(db, user_id, minute)
    return null
  },
})

/** The app of an access token, or null. */
export const findAppByToken = defineStep({
  name: 'findAppByToken',
  effect: 'read',
  inline: true,
  async run({ db }, { token_hash }: { token_hash: string }): Promise<LiveApp | null> {
    return (await selectAppByToken(db, token_hash)) ?? null
  },
})
