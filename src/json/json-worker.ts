import { parentPort } from 'node:worker_threads'
import { badRequest, ServiceError } from '#src/domain/errors.ts'
import { parseExactJson, type ExactJsonOptions } from '#src/json/exact-json.ts'
import { JsonSyntaxError } from '#src/json/json-scanner.ts'
import { freeBytes } from '#src/process/free-memory.ts'
import { PRIORITY, yieldToOthers } from '#src/process/thread-priority.ts'
import { splitJson, type SplitJson } from '#src/json/split-json.ts'

/** Can these bytes be kept exactly? */
export type Question = [seq: number, bytes: Uint8Array, options: QuestionOptions]
export interface QuestionOptions extends ExactJsonOptions {
  /** false: any JSON will do. */
  exactly: boolean
}
/** Why a text is refused; plain data, because an error loses its class between threads. */
export type Refusal = Pick<ServiceError, 'code' | 'message' | 'suggestion' | 'details'> & { syntax: boolean }
export type Answer =
  | [seq: number, text: SplitJson | string, refusal?: undefined]
  | [seq: number, text: null, refusal: Refusal]

/** Characters that the main thread reads in one turn. */
const PIECE = 128 * 1024

yieldToOthers(PRIORITY.beside)
parentPort!.on('message', ([seq, bytes, options]: Question) => {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let answer: Answer
  try {
    const text = source.toString().replace(/^\ufeff/, '')
    if (options.exactly) parseExactJson(source, options)
    else JSON.parse(text)
    answer = [seq, splitJson(text, PIECE) ?? text]
  } catch (error) {
    answer = [seq, null, refusalOf(error)]
  }
  parentPort!.postMessage(answer)
  freeBytes(bytes)
})

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ServiceError)) return refusalOf(badRequest('This is not valid JSON'))
  const { code, message, suggestion, details } = error
  return { code, message, suggestion, details, syntax: error instanceof JsonSyntaxError }
}
