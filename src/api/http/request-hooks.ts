import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/config/config.ts'

/** What a proxy or client may name a request by (further §21). */
const REQUEST_ID = /^[\w.-]{1,128}$/

/** The id of a request: that of its header `X-Request-Id` where it is one, else a new one. It is answered and logged. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/** An answer of the API is data: a browser that shows it as a page loads and runs nothing. */
const API_POLICY = "default-src 'none'; frame-ancestors 'none'"
/** Pages run what this host serves and nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Browsers that were here over HTTPS come back by it alone (RFC 6797); of two years, as its preload list wants. */
const HTTPS_ONLY = 'max-age=63072000'

export function securityHeaders({ protocol }: FastifyRequest, reply: FastifyReply): void {
  if (protocol === 'https') void reply.header('strict-transport-security', HTTPS_ONLY)
  void reply
    .header('content-security-policy', API_POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
}

const SENTENCE =
  'A request came with X-Forwarded-For, but TRUST_PROXY is off: all clients of that proxy count as one, so that wrong passwords of one lock the others out. If the proxy is yours, set TRUST_PROXY'

/** Says once what a proxy in front that is not configured means. */
export function warnOfUnknownProxy(app: FastifyInstance, { trust_proxy }: Config): void {
  if (trust_proxy) return
  let said = false
  app.addHook('onRequest', ({ headers }, _, done) => {
    if (!said && headers['x-forwarded-for'] !== undefined) {
      said = true
      app.log.warn(SENTENCE)
    }
    done()
  })
}
