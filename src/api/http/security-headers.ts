import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer of the API is data: a browser that shows it as a page loads and runs nothing. */
const API_POLICY = "default-src 'none'; frame-ancestors 'none'"
/** Pages run what this host serves and nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export function securityHeaders(_: FastifyRequest, reply: FastifyReply): void {
  void reply
    .header('content-security-policy', API_POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
}
