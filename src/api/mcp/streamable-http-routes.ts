import { toWebRequest } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpHttpHandler, ProtocolError, Server } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { countRequest } from '#src/api/http/count-request.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { INSTRUCTIONS } from '#src/api/mcp/instructions.ts'
import { asJson, BOTH, wantsJsonOnly } from '#src/api/mcp/json-only.ts'
import { errorText, INVALID_PARAMS, INVALID_REQUEST } from '#src/api/mcp/json-rpc.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { SERVER_INFO, type McpMethods } from '#src/api/mcp/mcp-methods.ts'
import { readToolSet, type ToolSet } from '#src/api/mcp/tool-sets.ts'
import { readBody } from '#src/api/mcp/read-message.ts'
import { OpenStreams } from '#src/api/open-streams.ts'
import type { Caller } from '#src/domain/caller.ts'

const MAX_STREAMS = 100
const JSON_TYPE = 'application/json; charset=utf-8'
/** Messages in one array, as the SDK has it; more are refused before it looks at each of them. */
const MAX_MESSAGES = 100
const TOO_MANY_MESSAGES = errorText(
  null,
  INVALID_REQUEST,
  `Invalid request: an array must not have more than ${MAX_MESSAGES} messages`,
)

/** Streamable HTTP, with the protocol versions of the SDK; it keeps nothing between requests. */
export function streamableHttpRoutes(
  app: FastifyInstance,
  parts: ServerParts,
  sets: Record<ToolSet, McpMethods>,
): void {
  const { runtime } = parts
  const open = new OpenStreams(runtime, { kind: 'mcp', max: MAX_STREAMS, what: 'MCP streams' })
  const handler = createMcpHandler(({ authInfo }) => serverFor(authInfo!.extra as unknown as Asking), {
    onerror: () => {}, // refused messages; what goes wrong on our side reports itself
    maxRequestBodySize: runtime.services.config.body_limit,
  })
  app.addHook('preClose', async () => {
    open.endAll()
    await handler.close()
  })

  const handle: RouteHandlerMethod = async (request, reply) => {
    const { caller } = request
    const methods = sets[readToolSet(request.query)]
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const { body } = request as { body: Buffer | undefined }
    const read = body && (await readBody(body, parts.json, methods))
    if (read && 'answer' in read) return reply.type(JSON_TYPE).send(read.answer)
    const message = read?.value
    const all = Array.isArray(message) ? (message as unknown[]) : [message]
    if (all.length > MAX_MESSAGES) return reply.code(400).type(JSON_TYPE).send(TOO_MANY_MESSAGES)
    countRequest(runtime.services.rate_limit, caller, reply, all.length - 1) // the request itself was counted as one
    for (const each of all) methods.checkScope(caller, each)
    if (isRecord(message) && message.method === 'subscriptions/listen') {
      const own = open.open(caller, () => reply.raw.destroy())
      reply.raw.once('close', () => own.release())
    }
    return reply.send(await answerOf(handler, request, message, { methods, signal: gone.signal }))
  }
  registerRoutes(app, parts, describedRoutes.mcp, {
    'POST /api/mcp': handle,
    'GET /api/mcp': { exposeHeadRoute: false, handler: handle },
    'DELETE /api/mcp': handle,
  })
}

/** Has the SDK answer; who takes no event stream gets the JSON that would have been on it. */
async function answerOf(
  handler: McpHttpHandler,
  { raw, method, headers, caller }: FastifyRequest,
  message: unknown,
  { methods, signal }: Omit<Asking, 'caller'>,
): Promise<Response> {
  const json = method === 'POST' && wantsJsonOnly(headers.accept)
  const asked = await toWebRequest(raw, message, { signal })
  if (json) asked.headers.set('accept', BOTH)
  const authInfo = { token: '', clientId: caller.user_id!, scopes: [], extra: { caller, methods, signal } }
  const answer = await handler.fetch(asked, {
    authInfo,
    ...(message !== undefined && { parsedBody: message }),
  })
  return json ? asJson(answer) : answer
}

/** Who asks, of which tools, and until when. */
interface Asking {
  caller: Caller
  methods: McpMethods
  signal: AbortSignal
}

function serverFor({ caller, methods, signal }: Asking): Server {
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
  server.setRequestHandler('tools/list', async () => methods.listFor(caller))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = methods.find(params.name)
    if (!tool) throw new ProtocolError(INVALID_PARAMS, methods.unknownTool(params.name))
    return methods.resultOf(caller, tool, params.arguments, signal)
  })
  return server
}
