import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { streamOut } from '#src/api/http/outlet.ts'
import { untilClientLeaves } from '#src/api/http/until-client-leaves.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { faultyRows } from '#src/api/imports/faulty-rows.ts'
import { OpenStreams } from '#src/api/open-streams.ts'
import { type FaultySource, findFaultySource } from '#src/operations/imports/faulty-rows.ts'
import { runOperation } from '#src/runtime/call.ts'

/** Each reads a file in a thread of its own. */
const MAX = { kind: 'import_faults' as const, max: 1, all: 4, what: 'files of faulty rows' }

/** GET /api/imports/{import_id}/faults: the faults of an import beyond those that it names. */
export function registerImports(app: FastifyInstance, parts: ServerParts): void {
  const { runtime } = parts
  const open = new OpenStreams(runtime, MAX)
  const handler: RouteHandlerMethod = async (request, reply) => {
    const { caller } = request
    const { import_id } = request.params as { import_id: string }
    const { json } = await runOperation(runtime, findFaultySource, caller, { import_id })
    void reply.header('content-disposition', 'attachment; filename="rows-with-faults.csv"')
    await open.while(caller, reply.raw, (ended) =>
      untilClientLeaves(runtime, request, reply, async (signal) => {
        const pieces = faultyRows(runtime, caller, JSON.parse(json) as FaultySource, signal)
        try {
          // What is wrong with the file, or that it is gone, is an answer of its own.
          const { value: head } = await pieces.next()
          ended.throwIfAborted()
          await streamOut(reply, 'text/csv; charset=utf-8', behind(head!, pieces))
        } catch (error) {
          if (!signal.aborted || ended.aborted) throw error
        } finally {
          // A client that has left by then has begun nothing that would end it.
          await pieces.return()
        }
      }),
    )
    return reply
  }
  registerRoutes(app, parts, describedRoutes.imports, { 'GET /api/imports/{import_id}/faults': handler })
}

async function* behind(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield head
  yield* rest
}
