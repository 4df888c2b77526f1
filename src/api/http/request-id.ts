import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What a proxy or client may name a request by (further §21). */
const REQUEST_ID = /^[\w.-]{1,128}$/

/** The id of a request: that of its header `X-Request-Id` where it is one, else a new one. It is answered and logged. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}
