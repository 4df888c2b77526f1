import { ChatFault } from '#src/api/chat/chat-event.ts'

/** Bytes, after unpacking, that a provider may send for one turn, all answers together. */
export const MAX_TURN_BYTES = 64 * 2 ** 20
/** Bytes without a line's end: an event is one line, and is kept whole until it has ended. */
export const MAX_LINE_BYTES = 4 * 2 ** 20
/** Bytes of an answer that says what went wrong; what comes after them is not read. */
export const MAX_FAULT_BYTES = 64 * 2 ** 10

const NEWLINE = 10

/** `fetch` for one turn of a chat: what a provider sends is counted before anybody keeps it. */
export function boundedFetch(fetch: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch {
  const room = { bytes: MAX_TURN_BYTES }
  return async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    const bound = response.ok ? streamBound(room) : faultBound()
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(bound), { status, statusText, headers: plain(headers) })
  }
}

/** The body has been unpacked. */
function plain(headers: Headers): Headers {
  const kept = new Headers(headers)
  kept.delete('content-encoding')
  kept.delete('content-length')
  return kept
}

function streamBound(room: { bytes: number }): TransformStream<Uint8Array, Uint8Array> {
  let line = 0
  return new TransformStream({
    transform(piece, controller) {
      const end = piece.lastIndexOf(NEWLINE)
      line = end < 0 ? line + piece.length : piece.length - end - 1
      room.bytes -= piece.length
      if (room.bytes < 0 || line > MAX_LINE_BYTES)
        controller.error(new ChatFault('The language model’s provider sent too much: the answer was ended'))
      else controller.enqueue(piece)
    },
  })
}

function faultBound(): TransformStream<Uint8Array, Uint8Array> {
  let left = MAX_FAULT_BYTES
  return new TransformStream({
    transform(piece, controller) {
      controller.enqueue(piece.subarray(0, left))
      if ((left -= piece.length) <= 0) controller.terminate()
    },
  })
}
