import { hashToken } from '#src/auth/session.ts'
import type { Config } from '#src/config/config.ts'
import type { Scope } from '#src/domain/caller.ts'
import { invalidToken } from '#src/domain/errors.ts'
import { minuteOf } from '#src/domain/iso-time.ts'
import { findAppByToken, touchApp } from '#src/operations/account/app/app-steps.ts'
import { KnownTokens, NotedUses } from '#src/operations/account/session/known-tokens.ts'
import { writeBeside } from '#src/operations/account/session/write-beside.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { type LiveApp, tokenOfApp } from '#src/storage/accounts/apps.ts'

export interface OpenApp extends LiveApp {
  scope: Scope
  /** What stands for its tokens where others have a hash. */
  token_hash: string
}

const known = new KnownTokens<OpenApp>()
const uses = new NotedUses()

/** Whose access token it is. Its use is noted once a minute, alongside the answer. @throws Unauthorized */
export async function openApp(runtime: Runtime, token: string): Promise<OpenApp> {
  const found = await known.find(runtime.engine, token, () => lookUp(runtime, token))
  const now = runtime.clock()
  if (!found || found.expires_at <= new Date(now).toISOString())
    throw invalidToken('This token is unknown, has expired, or was revoked', {
      suggestion: 'Refresh it, or ask for access again; keys begin with "facet_"',
    })
  const minute = minuteOf(now)
  if (uses.isDue(runtime.engine, found.app_id, found.last_used_at, minute)) {
    found.last_used_at = minute
    const { app_id, user_id } = found
    void writeBeside(runtime, app_id, touchApp, { app_id, user_id, minute })
  }
  return found
}

async function lookUp(runtime: Runtime, token: string): Promise<OpenApp | null> {
  const live = await runStep(runtime, findAppByToken, { token_hash: hashToken(token) })
  if (!live) return null
  const { scope = '', aud } = JSON.parse(live.payload) as { scope?: string; aud?: string }
  if (aud !== mcpResource(runtime.services.config)) return null
  const scopes = scope.split(' ')
  return {
    ...live,
    scope: (['write', 'propose'] as const).find((each) => scopes.includes(each)) ?? 'read',
    token_hash: tokenOfApp(live.app_id),
  }
}

/** The name of this MCP server among resources (RFC 8707): its address. */
export const mcpResource = ({ public_url }: Pick<Config, 'public_url'>): string => `${public_url}/api/mcp`
