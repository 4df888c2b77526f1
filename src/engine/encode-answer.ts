import type { Answer } from '#src/engine/sqlite-messages.ts'

/** Characters of an answer from which on its thread encodes it, so that the main thread need not, and is not copied. */
const LONG = 16_384

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Long texts as bytes, short ones as text: to hand memory over costs more than to copy a little. */
export function encoded(answer: Answer): Answer {
  if (!answer[1]) return answer
  const [seq, ok, body, meta, times] = answer
  const isText = typeof body === 'string'
  if (isText === body.length < LONG) return answer
  return [seq, ok, isText ? encoder.encode(body) : decoder.decode(body), meta, times]
}

/** The memory of answers that have it to themselves. */
export const bytesOf = (answers: readonly Answer[]): ArrayBuffer[] =>
  answers.flatMap(([, ok, body]) =>
    ok && typeof body !== 'string' && body.length === body.buffer.byteLength
      ? [body.buffer as ArrayBuffer]
      : [],
  )
