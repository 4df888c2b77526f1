import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Notes } from '#src/domain/reply.ts'
import { mergeInput } from '#src/api/http/merge-input.ts'
import type { SessionLookup } from '#src/api/http/session-lookup.ts'
import { callOperation, type Facet } from '#src/operations/call.ts'
import type { Operation } from '#src/operations/operation.ts'

interface Route {
  method: string
  /** With path parameters in braces. */
  path: string
}

/** `POST /api/items/{item_id}/tags` and its like, of one operation. */
export const routesOf = ({ rest }: Operation): Route[] =>
  [rest ?? []].flat().map((each) => {
    const [method = '', path = ''] = each.split(' ')
    return { method, path }
  })

/** Every operation that has a REST route. */
export function operationRoutes(
  app: FastifyInstance,
  facet: Facet,
  operations: readonly Operation[],
  sessions: SessionLookup,
): void {
  for (const operation of operations)
    for (const { method, path } of routesOf(operation))
      app.route({
        method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        handler: (request, reply) => answer(facet, operation, sessions, request, reply),
      })
}

async function answer(
  facet: Facet,
  operation: Operation,
  sessions: SessionLookup,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await sessions.find(request, reply)
  const { json, notes } = await callOperation(facet, operation, caller, mergeInput(operation, request))
  if (notes) {
    sessions.apply(reply, notes)
    noteHeaders(reply, notes)
  }
  return reply.type('application/json; charset=utf-8').send(json)
}

function noteHeaders(reply: FastifyReply, { next, total, warnings }: Notes): void {
  if (next !== undefined) void reply.header('x-next-cursor', next)
  if (total !== undefined) void reply.header('x-total-count', String(total))
  if (warnings?.length) void reply.header('x-filter-warnings', JSON.stringify(warnings))
}
