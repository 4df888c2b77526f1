import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody, pathOf, STATUS } from '#src/api/http/error-response.ts'
import { ServiceError, badRequest, type ErrorCode } from '#src/domain/errors.ts'

/** What Node says of a request that never became one. */
const REASONS: Readonly<Record<string, [code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['BadRequest', 'The request line and headers are larger than 64 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['BadRequest', 'The request did not arrive in time'],
}

const NO_REQUEST = badRequest('This is not a valid HTTP request')

/** Bytes of a broken request that are searched for its path. */
const MAX_TARGET = 16_384

const long = new WeakSet<Socket>()

/** From now on a request of this connection need not arrive in time, until what is returned is called. */
export function mayTakeLong(socket: Socket): () => void {
  long.add(socket)
  return () => void long.delete(socket)
}

/** Answers what is no HTTP request with the same error body as everything else, and closes. */
export function answerClientError(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && long.has(socket)) return
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const [code, message] = REASONS[error.code ?? ''] ?? []
    const start = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('utf8', 0, MAX_TARGET) : ''
    const [, target = ''] = /^[A-Z-]+ (.+?) HTTP\/\d/.exec(start) ?? []
    const known = code && message ? new ServiceError(code, message) : (unencoded(target) ?? NO_REQUEST)
    const body = JSON.stringify(errorBody(known, pathOf(target)))
    const status = STATUS[known.code]
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroySoon()
}

/** What to say of an address with a character that no request line holds as it is, as those beyond ASCII. */
function unencoded(target: string): ServiceError | undefined {
  const [character] = /[^\x21-\x7e]/u.exec(target) ?? []
  if (character === undefined) return undefined
  // Of bytes that are no UTF-8 nobody knows what was meant.
  const suggestion =
    character === '\ufffd'
      ? 'Percent-encode it as UTF-8'
      : `Write ${encodeURIComponent(character)} in its place`
  return badRequest(`The address holds ${JSON.stringify(character)}, which has to be percent-encoded`, {
    suggestion,
  })
}

/** An `Expect` other than 100-continue, which Node would answer without a body. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  refuse(badRequest(`The expectation '${request.headers.expect}' cannot be met`), request, response)
}

/** Answers past the framework, and closes. */
export function refuse(fault: ServiceError, { url = '' }: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(errorBody(fault, pathOf(url)))
  response
    .writeHead(STATUS[fault.code], {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    .end(body)
}
