import { Reply, type ReplyMeta } from '#src/domain/reply.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import type { Failure } from '#src/engine/failure.ts'
import type { OpenFile } from '#src/sql/copy-database.ts'

/** What a worker thread is started with. */
export interface WorkerStart extends OpenFile {
  role: 'writer' | 'reader'
  /** Calls in one transaction at the most. */
  max_batch: number
  /** By which a call is ended from outside. */
  stop_sign: SharedArrayBuffer
  /** It yields to other threads (`PRIORITY`). */
  priority?: number
}

/** Calls travel in batches: what came in while the port was busy goes as one message. */
export type Request = [seq: number, call: SqlCall]
export type Answer =
  | [seq: number, ok: true, json: string | Uint8Array, meta: ReplyMeta | undefined, times: Times]
  | [seq: number, ok: false, failure: Failure, times?: Times]
/** When it was begun, by the clock that threads share, how long it took, and what it computed, if known; milliseconds. */
export type Times = readonly [began: number, took: number, computed?: number]
/** What was committed together, how many milliseconds the whole transaction took, and its COMMIT. */
export interface Committed {
  answers: Answer[]
  held: number
  commit: number | undefined
}
/** A remark for the log. */
export interface Remark {
  remark: string
  details: Record<string, unknown>
}
export type FromWorker = 'ready' | Answer[] | Committed | Remark
/** What is dropped is not carried out, where it has not begun. */
export type ToWorker = Request[] | { drop: number[] } | 'close'

/** The answer of a call that went well; bytes stay where the thread has encoded them. */
export const replyOf = (json: string | Uint8Array, meta: ReplyMeta | undefined): Reply =>
  new Reply(
    typeof json === 'string' ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength),
    meta,
  )

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
