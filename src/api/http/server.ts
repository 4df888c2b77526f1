import fastify, { type FastifyInstance } from 'fastify'
import { operationRoutes } from '#src/api/http/operation-routes.ts'
import { sendError } from '#src/api/http/error-response.ts'
import { readBodies } from '#src/api/http/read-body.ts'
import type { SessionLookup } from '#src/api/http/session-lookup.ts'
import type { Config } from '#src/domain/config.ts'
import { ServiceError } from '#src/domain/errors.ts'
import type { Facet } from '#src/operations/call.ts'
import type { Operation } from '#src/operations/operation.ts'

export interface ServerParts {
  config: Config
  facet: Facet
  operations: readonly Operation[]
  sessions: SessionLookup
}

/** The HTTP interface, ready to listen. */
export function createServer({ config, facet, operations, sessions }: ServerParts): FastifyInstance {
  const app = fastify({
    logger: { level: config.log_level },
    bodyLimit: config.body_limit,
    trustProxy: config.trust_proxy,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2000 },
  })
  readBodies(app)
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error))
  app.setNotFoundHandler((request, reply) =>
    sendError(request, reply, new ServiceError('NotFound', `No route ${request.method} ${request.url}`)),
  )
  app.get('/api/health', () => ({ status: 'ok' }))
  operationRoutes(app, facet, operations, sessions)
  return app
}
