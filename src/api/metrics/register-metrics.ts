import type { FastifyInstance } from 'fastify'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import { METRICS_TYPE } from '#src/metrics/metrics.ts'

/** What operators watch, on the main port: for owners and their keys. */
export function registerMetrics(app: FastifyInstance, parts: ServerParts): void {
  const { metrics } = parts.runtime.services
  registerRoutes(app, parts, unlistedRoutes.metrics, {
    'GET /metrics': async (_, reply) =>
      reply
        .type(METRICS_TYPE)
        .header('cache-control', 'no-store')
        .send(await metrics.text()),
  })
}
