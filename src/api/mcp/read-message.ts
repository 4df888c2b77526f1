import { isRecord } from '#src/domain/is-record.ts'
import { invalid, type ServiceError } from '#src/domain/errors.ts'
import { MAX_DEPTH } from '#src/json/exact-json.ts'
import { JsonSyntaxError } from '#src/json/json-scanner.ts'
import type { JsonThread } from '#src/json/json-thread.ts'
import {
  errorText,
  INVALID_REQUEST,
  PARSE_ERROR,
  quoted,
  type RequestId,
  resultText,
  toolFailure,
} from '#src/api/mcp/json-rpc.ts'
import type { McpMethods } from '#src/api/mcp/mcp-methods.ts'

/** The message and its params are around a tool's arguments. */
const ENVELOPE = 2
const ARGUMENTS = 'params.arguments'

/** A body as a JSON value, or the answer that says why it is none that can be kept exactly. */
export async function readBody(
  body: Buffer,
  json: JsonThread,
  methods: McpMethods,
): Promise<{ value: unknown } | { answer: string }> {
  try {
    return { value: await json.parse(body, { maxDepth: MAX_DEPTH + ENVELOPE, what: 'The message' }) }
  } catch (error) {
    const fault = error as ServiceError
    return {
      answer:
        error instanceof JsonSyntaxError
          ? errorText(null, PARSE_ERROR, `Parse error: ${fault.message}`)
          : inexact(await json.parseLoosely(body), fault, methods),
    }
  }
}

/** Arguments that cannot be kept exactly are the tool's failure; anywhere else the message is at fault. */
function inexact(value: unknown, fault: ServiceError, methods: McpMethods): string {
  const message = readMessage(value)
  const read = message.kind === 'notification' ? null : message.id
  // One that was rounded may be that of another request.
  const id = Number.isInteger(read) && !Number.isSafeInteger(read) ? null : read
  const errors = fault.details?.errors ?? []
  const inArguments = errors.length > 0 && errors.every(({ path }) => path.startsWith(ARGUMENTS))
  if (message.kind === 'request' && message.method === 'tools/call' && inArguments) {
    const { name } = isRecord(message.params) ? message.params : {}
    const own = errors.map(({ path, message }) => ({
      path: path.slice(ARGUMENTS.length).replace(/^\./, ''),
      message,
    }))
    if (typeof name === 'string' && methods.find(name))
      return resultText(message.id, JSON.stringify(toolFailure(invalid(own))))
  }
  return errorText(id, INVALID_REQUEST, `Invalid request: ${fault.message}`)
}

export type Message =
  | { kind: 'request'; id: RequestId; method: string; params: unknown }
  /** A request without an id: it is never answered. */
  | { kind: 'notification'; method: string }
  | { kind: 'fault'; id: RequestId | null; message: string }

/** A JSON value as a message of JSON-RPC 2.0; batches are not part of MCP 2024-11-05. */
export function readMessage(value: unknown): Message {
  if (!isRecord(value)) return fault(null, 'expected one JSON-RPC 2.0 request object')
  const { jsonrpc, id, method, params } = value
  const known = isId(id) ? id : null
  if (jsonrpc !== '2.0') return fault(known, 'jsonrpc must be "2.0"')
  if (typeof method !== 'string') return fault(known, 'method must be a string')
  if (params !== undefined && params !== null && typeof params !== 'object')
    return fault(known, 'params must be an object')
  if (id === undefined) return { kind: 'notification', method }
  if (isNotification(method))
    return fault(known, `'${quoted(method)}' is a notification: send it without an id`)
  if (!isId(id)) return fault(null, 'id must be a string or a number')
  return { kind: 'request', id, method, params: params ?? undefined }
}

/** Whether a method is one that nobody answers. */
export const isNotification = (method: unknown): boolean =>
  typeof method === 'string' && method.startsWith('notifications/')

const fault = (id: RequestId | null, message: string): Message => ({
  kind: 'fault',
  id,
  message: `Invalid request: ${message}`,
})

const isId = (id: unknown): id is RequestId => typeof id === 'string' || typeof id === 'number'
