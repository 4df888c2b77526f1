import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionLookup } from '#src/api/http/session-lookup.ts'
import { readDevice } from '#src/auth/known-device.ts'
import { SESSION_LIFE } from '#src/auth/session.ts'
import { NOBODY } from '#src/domain/caller.ts'
import type { Runtime } from '#src/operations/call.ts'
import { openSession } from '#src/operations/account/session/open-session.ts'

/** `__Host-`: the browser takes it from this host alone, over HTTPS, for every path (RFC 6265bis §4.1.3.2). */
export const SESSION_COOKIE = '__Host-session'
/** Goes to sign-ins alone. */
const DEVICE_COOKIE = '__Secure-device'
const DEVICE_ATTRIBUTES = 'Max-Age=15552000; Path=/api/auth; HttpOnly; Secure; SameSite=Strict'
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax'
/** The form of every token that was ever handed out. */
const TOKEN = /^[\w-]{43}$/

/** Sessions by cookie. */
export function cookieSessions(runtime: Runtime): SessionLookup {
  return {
    async find(request, reply) {
      const token = readCookie(request.headers.cookie, SESSION_COOKIE)
      const open = token !== undefined && TOKEN.test(token) ? await openSession(runtime, token) : null
      if (open?.renewed) setSession(reply, token!)
      const known = readCookie(request.headers.cookie, DEVICE_COOKIE)
      const device = known === undefined ? null : readDevice(runtime.services.secrets, known)
      const caller = { ...NOBODY, address: request.ip, user_agent: userAgentOf(request), device }
      if (!open) return caller
      const { user_id, role, session, session_id } = open
      const client = { kind: 'session' as const, id: session_id, name: null }
      return { ...caller, user_id, role, session, token_hash: session.token_hash, client }
    },
    apply(reply, { session_change: session, device }) {
      if (session === 'ended') setSession(reply, '', 0)
      else if (session === 'renewed')
        setSession(reply, readCookie(reply.request.headers.cookie, SESSION_COOKIE)!)
      else if (session) setSession(reply, session.token)
      if (device) setCookie(reply, `${DEVICE_COOKIE}=${device}; ${DEVICE_ATTRIBUTES}`)
    },
  }
}

/** Characters that are kept of what a program calls itself. */
const MAX_USER_AGENT = 500

export const userAgentOf = ({ headers }: FastifyRequest): string | null =>
  headers['user-agent']?.slice(0, MAX_USER_AGENT).toWellFormed() ?? null

function setSession(reply: FastifyReply, token: string, max_age = SESSION_LIFE / 1000): void {
  setCookie(reply, `${SESSION_COOKIE}=${token}; Max-Age=${max_age}; ${ATTRIBUTES}`)
}

/** One Set-Cookie for each name: what was set before for the same answer gives way. */
export function setCookie(reply: FastifyReply, cookie: string): void {
  const name = cookie.slice(0, cookie.indexOf('=') + 1)
  const others = [reply.getHeader('set-cookie') ?? []].flat().filter((each) => !String(each).startsWith(name))
  reply.removeHeader('set-cookie')
  for (const each of [...others, cookie]) void reply.header('set-cookie', each)
}

/** The first of that name, as a browser would have it. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (!header?.includes(name)) return undefined
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
