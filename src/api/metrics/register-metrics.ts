import type { FastifyInstance } from 'fastify'
import { identifyCaller } from '#src/api/http/identify-caller.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { METRICS_TYPE } from '#src/metrics/metrics.ts'

/** What operators watch, for owners and their keys. */
const DEMAND = { access: 'user', needs: 'owner', effect: 'read', rest: 'GET /metrics' } as const

/** `GET /metrics` on the main port. */
export function registerMetrics(app: FastifyInstance, parts: ServerParts): void {
  const { metrics } = parts.facet.services
  app.get('/metrics', { onRequest: identifyCaller(parts, DEMAND) }, async (_, reply) =>
    reply
      .type(METRICS_TYPE)
      .header('cache-control', 'no-store')
      .send(await metrics.text()),
  )
}
