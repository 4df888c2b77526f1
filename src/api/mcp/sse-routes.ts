import type { FastifyInstance, FastifyRequest } from 'fastify'
import { identifyCaller } from '#src/api/http/identify-caller.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { readMessage, errorText, INVALID_REQUEST } from '#src/api/mcp/json-rpc.ts'
import type { McpMethods } from '#src/api/mcp/mcp-methods.ts'
import { McpStreams } from '#src/api/mcp/mcp-streams.ts'
import { readBody } from '#src/api/mcp/read-message.ts'
import { OpenStreams } from '#src/api/open-streams.ts'
import { EventStream } from '#src/api/sse.ts'
import type { Caller } from '#src/domain/caller.ts'
import { notFound } from '#src/domain/errors.ts'

const MESSAGE_PATH = '/api/mcp/message'
const MAX_STREAMS = 100

/** The transport of protocol 2024-11-05 as the specification has it: each answer goes out in the body and on the stream. */
export function sseRoutes(app: FastifyInstance, parts: ServerParts, methods: McpMethods): void {
  const { facet } = parts
  const onRequest = identifyCaller(parts, 'user')
  const streams = new McpStreams()
  const open = new OpenStreams(facet, { max: MAX_STREAMS, what: 'MCP streams' })
  app.addHook('preClose', async () => open.endAll())

  app.get('/api/mcp/sse', { exposeHeadRoute: false, onRequest }, async ({ caller }, reply) => {
    const own = open.open(caller, () => stream.close())
    reply.hijack()
    const stream = new EventStream(reply.raw, {
      headers: reply.getHeaders(),
      onHeartbeat: () => void own.check().catch(methods.onError),
    })
    stream.closed.addEventListener('abort', () => own.release())
    stream.send(`${MESSAGE_PATH}?session_id=${streams.add(caller, stream)}`, 'endpoint')
  })

  app.post(MESSAGE_PATH, { onRequest }, async (request, reply) => {
    const { caller } = request
    const listeners = listenersOf(streams, caller, request)
    const answer = await answerTo(methods, caller, request.body as Buffer | undefined)
    if (answer === undefined) return reply.code(202).send()
    for (const stream of listeners) stream.send(answer, 'message')
    return reply.type('application/json; charset=utf-8').send(answer)
  })
}

/** @throws NotFound for a stream of somebody else, as for one that never was. */
function listenersOf(streams: McpStreams, caller: Caller, request: FastifyRequest): readonly EventStream[] {
  const { session_id } = request.query as { session_id?: string | string[] }
  if (session_id === undefined) return streams.of(caller)
  const [id = ''] = [session_id].flat()
  const stream = streams.find(caller, id)
  if (!stream) throw notFound('MCP session', id, { suggestion: 'Open a stream with GET /api/mcp/sse first' })
  return [stream]
}

/** JSON text; undefined where there is nothing to answer. */
async function answerTo(
  methods: McpMethods,
  caller: Caller,
  body: Buffer = Buffer.alloc(0),
): Promise<string | undefined> {
  const read = readBody(body, methods)
  if ('answer' in read) return read.answer
  const message = readMessage(read.value)
  if (message.kind === 'notification') return undefined
  if (message.kind === 'fault') return errorText(message.id, INVALID_REQUEST, message.message)
  return methods.answer(caller, message)
}
