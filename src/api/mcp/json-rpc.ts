import { isRecord } from '#src/domain/is-record.ts'
/** https://www.jsonrpc.org/specification, section 5.1. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602

export type RequestId = string | number

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
  if (!isId(id)) return fault(null, 'id must be a string or a number')
  return { kind: 'request', id, method, params: params ?? undefined }
}

const fault = (id: RequestId | null, message: string): Message => ({
  kind: 'fault',
  id,
  message: `Invalid request: ${message}`,
})

const isId = (id: unknown): id is RequestId => typeof id === 'string' || typeof id === 'number'

/** @param result JSON text. */
export const resultText = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

export const errorText = (id: RequestId | null, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
