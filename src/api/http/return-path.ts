import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, setCookie } from '#src/api/http/session-cookie.ts'

/** Where a sign-in that leaves for an identity provider comes back to. Pages of this service alone. */
const COOKIE = '__Host-return'
const LIFE = 30 * 60
const PATH = /^\/authorize\/[\w-]{20,64}$/

export const keepReturn = (reply: FastifyReply, path: string): void =>
  setCookie(reply, `${COOKIE}=${path}; Max-Age=${LIFE}; Path=/; HttpOnly; Secure; SameSite=Lax`)

/** Uses it up; without one it is the start page. */
export function takeReturn({ headers }: FastifyRequest, reply: FastifyReply): string {
  const kept = readCookie(headers.cookie, COOKIE)
  if (kept === undefined) return '/'
  setCookie(reply, `${COOKIE}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`)
  return PATH.test(kept) ? kept : '/'
}
