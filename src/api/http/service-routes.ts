import type { FastifyInstance } from 'fastify'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { SERVICE } from '#src/domain/caller.ts'
import { runOperation } from '#src/operations/call.ts'
import { checkReady } from '#src/operations/service/check-ready.ts'

const OK = { status: 'ok' }

/** Whether the process lives (without a look at the database), and whether it can work. */
export function serviceRoutes(app: FastifyInstance, { facet }: ServerParts): void {
  app.get('/api/health', (_, reply) => reply.send(OK))
  app.get('/api/ready', async (_, reply) => {
    await runOperation(facet, checkReady, SERVICE, {})
    return reply.send(OK)
  })
}
