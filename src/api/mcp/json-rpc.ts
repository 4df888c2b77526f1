import { errorInWords } from '#src/api/error-in-words.ts'
import { metaBeside } from '#src/api/meta-beside.ts'
import { cutText } from '#src/domain/cut-text.ts'
import { ServiceError } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'

/** https://www.jsonrpc.org/specification, section 5.1. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602

export type RequestId = string | number

/** @param result JSON text. */
export const resultText = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

export const errorText = (id: RequestId | null, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })

/** Characters of what a client sent that a refusal says again. */
const MAX_QUOTED = 100
export const quoted = (text: string): string => cutText(text, MAX_QUOTED)

/** A result of `tools/call`. A type and no interface, because the SDK wants open objects. */
export type ToolResult = {
  content: { type: 'text'; text: string }[]
  isError?: true
}

/** What REST would answer, and in a second block what REST says in headers; `args` is what the tool was called with. */
export function toolResult(reply: Reply, args: unknown): ToolResult {
  const beside = metaBeside(reply, args)
  return { content: [block(reply.json), ...(beside ? [block(beside)] : [])] }
}

export const toolFailure = (error: ServiceError): ToolResult => ({
  content: [block(`Error: ${errorInWords(error)}`)],
  isError: true,
})

const block = (text: string) => ({ type: 'text' as const, text })

/** What went wrong on our side is in the log, not in the answer. */
export const ourFault = () =>
  new ServiceError('InternalServerError', 'Something went wrong on our side', {
    suggestion: 'Try again once; if it goes on, tell the operator of the service',
  })
