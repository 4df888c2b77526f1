import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { whenClosed } from '#src/api/drained.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { errorText, INVALID_REQUEST, quoted } from '#src/api/mcp/json-rpc.ts'
import type { McpMethods } from '#src/api/mcp/mcp-methods.ts'
import { McpRelay } from '#src/api/mcp/mcp-relay.ts'
import { McpStreams } from '#src/api/mcp/mcp-streams.ts'
import { readBody, readMessage } from '#src/api/mcp/read-message.ts'
import { OpenStreams } from '#src/api/open-streams.ts'
import { EventStream } from '#src/api/sse.ts'
import type { Caller } from '#src/domain/caller.ts'
import { notFound } from '#src/domain/errors.ts'

const MESSAGE_PATH = '/api/mcp/message'
const MAX_STREAMS = 100

/** The transport of protocol 2024-11-05 as the specification has it: each answer goes out in the body and on the stream. */
export function sseRoutes(app: FastifyInstance, parts: ServerParts, methods: McpMethods): void {
  const transport = new SseTransport(parts, methods)
  app.addHook('preClose', async () => transport.endAll())
  registerRoutes(app, parts, describedRoutes.mcpStream, {
    'GET /api/mcp/sse': {
      exposeHeadRoute: false,
      handler: (request, reply) => transport.openStream(request, reply),
    },
    'POST /api/mcp/message': (request, reply) => transport.postMessage(request, reply),
  })
}

class SseTransport {
  private readonly parts: ServerParts
  private readonly methods: McpMethods
  private readonly streams = new McpStreams()
  private readonly relay: McpRelay
  private readonly open: OpenStreams

  constructor(parts: ServerParts, methods: McpMethods) {
    const { runtime } = parts
    this.parts = parts
    this.methods = methods
    this.relay = new McpRelay(runtime.engine.relay, this.streams, methods.onError)
    this.open = new OpenStreams(runtime, { kind: 'mcp_sse', max: MAX_STREAMS, what: 'MCP streams' })
  }

  endAll(): void {
    this.open.endAll()
  }

  async openStream({ caller }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const own = this.open.open(caller, () => stream.close())
    reply.hijack()
    const stream = new EventStream(reply.raw, {
      headers: reply.getHeaders(),
      heartbeat: this.parts.heartbeat,
    })
    stream.onClosed(() => own.release())
    const id = this.streams.add(caller, stream)
    try {
      await this.relay.opened(id, caller, stream)
      stream.send(`${MESSAGE_PATH}?session_id=${id}`, 'endpoint')
    } catch (error) {
      this.methods.onError(error)
      stream.close()
    }
  }

  async postMessage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { parts, methods, streams, relay } = this
    const { caller } = request
    const id = streamIdOf(request)
    const here = streams.ofSession(caller.token_hash!, id)
    const elsewhere = (id === undefined || !here.length) && (await relay.isElsewhere(caller, id))
    // For a stream of somebody else as for one that never was.
    if (id !== undefined && !here.length && !elsewhere)
      throw notFound('MCP session', quoted(id), { suggestion: 'Open a stream with GET /api/mcp/sse first' })
    const gone = new AbortController()
    whenClosed(reply.raw, () => {
      // Where a stream is open, the answer is waited for there.
      if (!elsewhere && !streams.ofSession(caller.token_hash!, id).length) gone.abort()
    })
    const { body } = request as { body: Buffer | undefined }
    const answer = await answerTo(parts, methods, caller, body, gone.signal)
    if (answer === undefined) return reply.code(202).send()
    for (const stream of here) stream.send(answer, 'message')
    if (elsewhere) await relay.send(caller, id, answer)
    return reply.type('application/json; charset=utf-8').send(answer)
  }
}

/** The first of that name; undefined: all streams of the session. */
function streamIdOf(request: FastifyRequest): string | undefined {
  const { session_id } = request.query as { session_id?: string | string[] }
  return session_id === undefined ? undefined : ([session_id].flat()[0] ?? '')
}

/** JSON text; undefined where there is nothing to answer. */
async function answerTo(
  { json }: ServerParts,
  methods: McpMethods,
  caller: Caller,
  body: Buffer | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const read = await readBody(body ?? Buffer.alloc(0), json, methods)
  if ('answer' in read) return read.answer
  const message = readMessage(read.value)
  if (message.kind === 'notification') return undefined
  if (message.kind === 'fault') return errorText(message.id, INVALID_REQUEST, message.message)
  methods.checkScope(caller, message)
  return methods.answer(caller, message, signal)
}
