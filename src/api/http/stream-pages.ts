import type { FastifyReply } from 'fastify'
import { type OutletOptions, streamOut } from '#src/api/http/outlet.ts'
import type { Reply } from '#src/domain/reply.ts'

/**
 * Sends a list page by page as one JSON array, each page when the client has taken the one before. A failure destroys
 * the socket and leaves the JSON open, so that nobody takes a part for the whole. Compressed, where a coding is given,
 * each page goes out whole before the next one is asked for (decision 53).
 */
export const streamPages = (
  reply: FastifyReply,
  first: Reply,
  rest: AsyncIterable<Reply>,
  options: OutletOptions = {},
): Promise<void> =>
  streamOut(reply, 'application/json; charset=utf-8', asOneArray(first, rest), { ...options, owned: true })

async function* asOneArray(first: Reply, rest: AsyncIterable<Reply>): AsyncGenerator<Buffer> {
  const opening = first.bytes
  let empty = isEmpty(opening)
  yield opening.subarray(0, -1)
  for await (const { bytes } of rest) {
    if (isEmpty(bytes)) continue
    // A comma takes the place of the bracket.
    if (!empty) bytes[0] = COMMA
    yield bytes.subarray(empty ? 1 : 0, -1)
    empty = false
  }
  yield Buffer.from(']')
}

const COMMA = 0x2c
const isEmpty = (list: Buffer): boolean => list.length === '[]'.length
