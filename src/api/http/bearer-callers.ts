import type { FastifyRequest } from 'fastify'
import type { SessionLookup } from '#src/api/http/session-lookup.ts'
import { cookieSessions, userAgentOf } from '#src/api/http/session-cookie.ts'
import { type Caller, NOBODY } from '#src/domain/caller.ts'
import { isKeyLike } from '#src/auth/api-key.ts'
import { openApp } from '#src/operations/account/app/open-app.ts'
import { openKey } from '#src/operations/account/key/open-key.ts'
import type { Runtime } from '#src/operations/call.ts'

const BEARER = /^bearer +([\x21-\x7e]+) *$/i

/** The token of `Authorization: Bearer <token>`. */
export const bearerOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1]

/** Callers by key or by an app's token, and without an Authorization header by cookie (additions §2). */
export function bearerCallers(runtime: Runtime): SessionLookup {
  const cookies = cookieSessions(runtime)
  return {
    async find(request, reply) {
      if (request.headers.authorization === undefined) return cookies.find(request, reply)
      const caller = { ...NOBODY, address: request.ip, user_agent: userAgentOf(request) }
      const token = bearerOf(request)
      if (token === undefined) return caller
      return isKeyLike(token) ? byKey(runtime, token, caller) : byApp(runtime, token, caller)
    },
    apply: (reply, meta) => cookies.apply(reply, meta),
  }
}

async function byKey(runtime: Runtime, token: string, caller: Caller): Promise<Caller> {
  const { user_id, role, scope, key_id, name, key_hash } = await openKey(runtime, token)
  return { ...caller, user_id, role, scope, token_hash: key_hash, client: { kind: 'key', id: key_id, name } }
}

async function byApp(runtime: Runtime, token: string, caller: Caller): Promise<Caller> {
  const { user_id, role, scope, app_id, name, token_hash } = await openApp(runtime, token)
  return { ...caller, user_id, role, scope, token_hash, client: { kind: 'app', id: app_id, name } }
}
