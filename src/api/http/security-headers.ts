import type { FastifyReply, FastifyRequest } from 'fastify'

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
