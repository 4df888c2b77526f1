import type { FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf } from '#src/api/http/bearer-token.ts'
import { countRequest } from '#src/api/http/count-request.ts'
import type { Query } from '#src/api/http/parse-query.ts'
import { deviceOf, sessionTokenOf, setSession } from '#src/api/http/session-cookie.ts'
import { isKeyLike } from '#src/auth/api-key.ts'
import { reportedAddress } from '#src/auth/client-address.ts'
import { readDevice } from '#src/auth/known-device.ts'
import { type Caller, NOBODY } from '#src/domain/caller.ts'
import { invalidToken, ServiceError } from '#src/domain/errors.ts'
import { openApp } from '#src/operations/account/app/open-app.ts'
import { openKey } from '#src/operations/account/key/open-key.ts'
import { openSession } from '#src/operations/account/session/open-session.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { checkCaller, type Demand } from '#src/runtime/may-call.ts'

/** Milliseconds after which a body came late: who sends it may have lost since what its head was let in by. */
const LATE_BODY_MS = 100

/**
 * A route's hooks: the caller is found, and anyone who calls too often or may not call is turned away, before a body is
 * read; after a body that came late the caller is looked up again.
 */
export function identifyCaller(runtime: Runtime, demand: Demand) {
  const { rate_limit } = runtime.services
  const find = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.caller = await findCaller(runtime, request, reply)
  }
  return {
    async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      await find(request, reply)
      countRequest(rate_limit, request.caller, reply)
      check(demand, request)
    },
    async preValidation(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (request.body === undefined || reply.elapsedTime < LATE_BODY_MS) return
      await find(request, reply)
      check(demand, request)
    },
  }
}

/** By key or by an app's token, and without an Authorization header by cookie (additions §2). */
async function findCaller(runtime: Runtime, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const caller = { ...NOBODY, address: reportedAddress(request.ip), user_agent: userAgentOf(request) }
  if (request.headers.authorization === undefined) return byCookie(runtime, request, reply, caller)
  const token = bearerOf(request)
  if (token === undefined) return caller
  return isKeyLike(token) ? byKey(runtime, token, caller) : byApp(runtime, token, caller)
}

async function byKey(runtime: Runtime, token: string, caller: Caller): Promise<Caller> {
  const { user_id, role, scope, key_id, name, key_hash, limited } = await openKey(runtime, token)
  const client = { kind: 'key' as const, id: key_id, name }
  return { ...caller, user_id, role, scope, token_hash: key_hash, client, ...(limited && { limited }) }
}

async function byApp(runtime: Runtime, token: string, caller: Caller): Promise<Caller> {
  const { user_id, role, scope, app_id, name, token_hash, limited } = await openApp(runtime, token)
  const client = { kind: 'app' as const, id: app_id, name }
  return { ...caller, user_id, role, scope, token_hash, client, ...(limited && { limited }) }
}

/** Sends the cookie again when the session's timer was written. */
async function byCookie(
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
): Promise<Caller> {
  const token = sessionTokenOf(request)
  const open = token === undefined ? null : await openSession(runtime, token)
  if (open?.renewed) setSession(reply, token!)
  const known = deviceOf(request)
  const device = known === undefined ? null : readDevice(runtime.services.secrets, known)
  if (!open || isOthers(request, open.user_id)) return { ...caller, device }
  const { user_id, role, session, session_id } = open
  const client = { kind: 'session' as const, id: session_id, name: null }
  return { ...caller, device, user_id, role, session, token_hash: session.token_hash, client }
}

/** A browser has one cookie for all its tabs: a page says whose it is, and does nothing as the one who came after. */
const isOthers = ({ headers, query }: FastifyRequest, user_id: string): boolean =>
  // An EventSource of a browser can send no header of its own.
  (headers['x-expected-user'] ?? (query as Query)['expected_user'] ?? user_id) !== user_id

/** Characters that are kept of what a program calls itself. */
const MAX_USER_AGENT = 500

const userAgentOf = ({ headers }: FastifyRequest): string | null =>
  headers['user-agent']?.slice(0, MAX_USER_AGENT).toWellFormed() ?? null

/** @throws Unauthorized, Forbidden */
function check(demand: Demand, request: FastifyRequest): void {
  try {
    checkCaller(demand, request.caller)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'Unauthorized') throw error
    if (cameWithout(request)) throw cookieIgnored(error)
    throw holdsNoToken(request) ? noToken() : error
  }
}

/** Whether nothing came that could say who calls, over http, where many clients keep a Secure cookie back. */
const cameWithout = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'http' && headers.cookie === undefined && headers.authorization === undefined

const cookieIgnored = ({ code, message, suggestion }: ServiceError): ServiceError =>
  new ServiceError(code, message, {
    suggestion: `${suggestion}. No cookie came with this request: over http many clients keep it back, because it is Secure; send the header Cookie yourself, or use a key`,
  })

/** An Authorization that names nobody, as `Bearer ` with a variable that is not set; a key or token that is none is told before. */
const holdsNoToken = (request: FastifyRequest): boolean =>
  request.headers.authorization !== undefined && bearerOf(request) === undefined

const noToken = (): ServiceError =>
  invalidToken('The header Authorization holds no key', {
    suggestion:
      'Send it as "Bearer", a blank and the key, or sign in and leave the header away: no cookie is looked at beside it',
  })

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `identifyCaller`. */
    caller: Caller
  }
}
