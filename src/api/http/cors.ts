import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/config/config.ts'

/** What a page's script may read besides the body. */
const EXPOSED =
  'X-Next-Cursor, X-Total-Count, X-Filter-Warnings, X-Change-Id, X-Event-Id, X-Unread-Count, ETag, Content-Disposition, Content-Range, Accept-Ranges, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy, Mcp-Session-Id, WWW-Authenticate, X-Request-Id'
/** Seconds for which a browser remembers a preflight. */
const MAX_AGE = '600'

/** Lets the listed origins, and no others, call with credentials. */
export function corsHeaders({
  cors_origins,
}: Config): (request: FastifyRequest, reply: FastifyReply) => void {
  const allowed = new Set(cors_origins)
  if (!allowed.size) return () => {}
  return ({ headers }, reply) => {
    void reply.header('vary', 'Origin')
    const { origin } = headers
    if (origin === undefined || !allowed.has(origin)) return
    void reply
      .header('access-control-allow-origin', origin)
      .header('access-control-allow-credentials', 'true')
      .header('access-control-expose-headers', EXPOSED)
  }
}

/** The answer to the browser's question before a request that is not simple; `methods` are those of the path. */
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply, methods: string[]): void {
  if (!headers['access-control-request-method'] || !reply.hasHeader('access-control-allow-origin')) return
  const wanted = headers['access-control-request-headers']
  void reply
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-max-age', MAX_AGE)
  if (wanted) void reply.header('access-control-allow-headers', wanted)
}
