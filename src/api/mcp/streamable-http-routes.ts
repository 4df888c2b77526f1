import { toWebRequest } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isInitializeRequest,
  type McpHttpHandler,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { whenClosed } from '#src/api/drained.ts'
import { countRequest } from '#src/api/http/count-request.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { errorText, INVALID_PARAMS, INVALID_REQUEST, quoted, type RequestId } from '#src/api/mcp/json-rpc.ts'
import {
  cursorFault,
  INSTRUCTIONS,
  type McpMethods,
  type McpRequest,
  SERVER_INFO,
} from '#src/api/mcp/mcp-methods.ts'
import { isNotification, readBody, readMessage } from '#src/api/mcp/read-message.ts'
import { readToolSet, type ToolSet } from '#src/api/mcp/tool-sets.ts'
import { OpenStreams } from '#src/api/open-streams.ts'
import type { Caller } from '#src/domain/caller.ts'
import { isRecord } from '#src/domain/is-record.ts'

const JSON_MIME = 'application/json'
const JSON_TYPE = `${JSON_MIME}; charset=utf-8`
const EVENTS = 'text/event-stream'

/**
 * Whether a client asks for JSON alone, as the explorer and curl do. The protocol wants clients to take event streams
 * too and the SDK refuses others, but what we answer to a request is one message, which is JSON as well.
 */
const wantsJsonOnly = (accept: string | undefined): boolean =>
  accept === undefined || (!accept.includes(EVENTS) && (accept.includes(JSON_MIME) || accept.includes('*/*')))

/** What the SDK gets in place of that. */
const BOTH = `${JSON_MIME}, ${EVENTS}`

const DATA = 'data: '

/** The messages of an event stream as JSON: the answers to an array are one, however many they are. */
async function asJson(answer: Response, isBatch: boolean): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith(EVENTS)) return answer
  // Texts of the base may hold U+2028, which ends a line for a regular expression, but not for an event stream.
  const messages = (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith(DATA))
    .map((line) => line.slice(DATA.length))
    .filter((message) => message.trim())
  const headers = new Headers(answer.headers)
  headers.set('content-type', JSON_TYPE)
  return new Response(messages.length === 1 && !isBatch ? messages[0] : `[${messages.join(',')}]`, {
    status: answer.status,
    headers,
  })
}

const MAX_STREAMS = 100
/** Messages in one array, as the SDK has it; more are refused before it looks at each of them. */
const MAX_MESSAGES = 100

/** What is wrong with an array of messages as a whole. */
function arrayFault(all: readonly unknown[]): string | undefined {
  if (all.length > MAX_MESSAGES) return `an array must not have more than ${MAX_MESSAGES} messages`
  const ids = new Set<RequestId>()
  for (const each of all) {
    const message = readMessage(each)
    if (message.kind !== 'request') continue
    // The SDK gives the answer of one of them, and the other waits for ever.
    if (ids.has(message.id))
      return `two messages of the array have the id ${quoted(JSON.stringify(message.id))}`
    ids.add(message.id)
  }
  return undefined
}

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
    whenClosed(reply.raw, () => gone.abort())
    const body = request.method === 'POST' ? (request.body as Buffer | undefined) : undefined
    const read = body && (await readBody(body, parts.json, methods))
    if (read && 'answer' in read) return reply.type(JSON_TYPE).send(read.answer)
    const message = read?.value
    const all = Array.isArray(message) ? (message as unknown[]) : [message]
    const fault = arrayFault(all)
    if (fault)
      return reply
        .code(400)
        .type(JSON_TYPE)
        .send(errorText(null, INVALID_REQUEST, `Invalid request: ${fault}`))
    countRequest(runtime.services.rate_limit, caller, reply, all.length - 1) // the request itself was counted as one
    for (const each of all) methods.checkScope(caller, each)
    const answer = (call: McpRequest) => methods.answer(caller, call, gone.signal)
    const odd = await Promise.all(all.map((each) => oddAnswer(each, answer)))
    const answered = odd.filter((each) => each !== undefined)
    const asking = { methods, signal: gone.signal }
    if (answered.length) {
      const others = all.filter((_, i) => odd[i] === undefined)
      if (others.length) answered.push(...(await answersOf(handler, request, others, asking)))
      return reply.type(JSON_TYPE).send(Array.isArray(message) ? `[${answered.join(',')}]` : answered[0])
    }
    if (isRecord(message) && message.method === 'subscriptions/listen') {
      const own = open.open(caller, () => reply.raw.destroy())
      whenClosed(reply.raw, () => own.release())
    }
    return reply.send(await answerOf(handler, request, message, asking))
  }
  registerRoutes(app, parts, describedRoutes.mcp, {
    'POST /api/mcp': handle,
    'GET /api/mcp': { exposeHeadRoute: false, handler: handle },
    'DELETE /api/mcp': handle,
  })
}

/**
 * The answer to what the SDK would refuse in words of its own: a call of a tool whose params are odd, as a fault of the
 * protocol also where the arguments alone are wrong, which are the tool's own failure (decisions §11; null is none); a
 * cursor that is no text, null included, as a fault of ours; params of initialize that are not whole, as a fault inside
 * of itself; and a notification that has an id, as an unknown method.
 */
async function oddAnswer(
  value: unknown,
  answer: (call: McpRequest) => Promise<string>,
): Promise<string | undefined> {
  const message = readMessage(value)
  if (message.kind === 'fault')
    return isRecord(value) && isNotification(value.method)
      ? errorText(message.id, INVALID_REQUEST, message.message)
      : undefined
  if (message.kind !== 'request') return undefined
  if (message.method === 'initialize')
    return isInitializeRequest(value) ? undefined : errorText(message.id, INVALID_PARAMS, INITIALIZE_FAULT)
  const isUsual = USUAL.get(message.method)
  return !isUsual || isUsual(isRecord(message.params) ? message.params : {}) ? undefined : answer(message)
}

const INITIALIZE_FAULT =
  'Invalid params: expected {"protocolVersion": "2025-06-18", "capabilities": {…}, "clientInfo": {"name": …, "version": …}}'

/** Params that the SDK reads, by method. */
const USUAL: ReadonlyMap<string, (params: Record<string, unknown>) => boolean> = new Map([
  [
    'tools/call',
    ({ name, arguments: args }) => typeof name === 'string' && (args === undefined || isRecord(args)),
  ],
  ['tools/list', ({ cursor }) => cursor === undefined || typeof cursor === 'string'],
])

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
  return json ? asJson(answer, Array.isArray(message)) : answer
}

/** The SDK's answers to messages of an array, whichever way the client takes them, as JSON texts. */
async function answersOf(
  handler: McpHttpHandler,
  request: FastifyRequest,
  messages: unknown[],
  asking: Omit<Asking, 'caller'>,
): Promise<string[]> {
  const text = await (await asJson(await answerOf(handler, request, messages, asking), true)).text()
  // Notifications alone are not answered.
  return text ? [JSON.parse(text) as unknown].flat().map((each) => JSON.stringify(each)) : []
}

/** The caller, the tools that were asked for, and until when. */
interface Asking {
  caller: Caller
  methods: McpMethods
  signal: AbortSignal
}

function serverFor({ caller, methods, signal }: Asking): Server {
  const server = new Server(SERVER_INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
  server.setRequestHandler('tools/list', async ({ params }) => {
    const fault = cursorFault(params)
    if (fault) throw new ProtocolError(INVALID_PARAMS, fault)
    return methods.listFor(caller)
  })
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = methods.find(params.name)
    if (!tool) throw new ProtocolError(INVALID_PARAMS, methods.unknownTool(params.name))
    return methods.resultOf(caller, tool, params.arguments, signal)
  })
  return server
}
