import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_LIFE } from '#src/auth/session.ts'
import type { ReplyMeta } from '#src/domain/reply.ts'

/** `__Host-`: the browser takes it from this host alone, over HTTPS, for every path (RFC 6265bis §4.1.3.2). */
export const SESSION_COOKIE = '__Host-session'
/** Goes to sign-ins alone. */
const DEVICE_COOKIE = '__Secure-device'
const DEVICE_ATTRIBUTES = 'Max-Age=15552000; Path=/api/auth; HttpOnly; Secure; SameSite=Strict'
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax'
/** The form of every token that was ever handed out. */
const TOKEN = /^[\w-]{43}$/

/** The token of the session that the request's cookie names, if it may be one. */
export function sessionTokenOf({ headers }: FastifyRequest): string | undefined {
  const token = readCookie(headers.cookie, SESSION_COOKIE)
  return token !== undefined && TOKEN.test(token) ? token : undefined
}

/** By which a browser is known that has signed in before. */
export const deviceOf = ({ headers }: FastifyRequest): string | undefined =>
  readCookie(headers.cookie, DEVICE_COOKIE)

/** Sets or clears the cookies as the metadata of an operation's answer says, before it leaves. */
export function applySession(reply: FastifyReply, { session_change: session, device }: ReplyMeta): void {
  if (session === 'ended') setSession(reply, '', 0)
  else if (session === 'renewed') setSession(reply, readCookie(reply.request.headers.cookie, SESSION_COOKIE)!)
  else if (session) setSession(reply, session.token)
  if (device) setCookie(reply, `${DEVICE_COOKIE}=${device}; ${DEVICE_ATTRIBUTES}`)
}

export function setSession(reply: FastifyReply, token: string, max_age = SESSION_LIFE / 1000): void {
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
