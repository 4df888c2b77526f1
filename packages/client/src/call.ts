import { lost, type Connection } from './connection.ts'
import { boundTo, checkSignal } from './end.ts'
import { refusal, unreachable } from './errors.ts'
import { requestOf } from './request.ts'
import { withRetries } from './retry.ts'
import type { Route } from './route.ts'
import { after } from './wait.ts'

export interface CallOptions {
  /** Ends the call, also while it waits to be sent again: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** What a call answers, with what its headers say. */
export interface Answer<T> {
  data: T
  /** The cursor of the next page. */
  next: string | undefined
  /** All matches, where `count` asked for it. */
  total: number | undefined
  /** What of a filter can never match. */
  warnings: string[]
  /** Of a write that recorded something: what undoChanges takes. */
  change_id: string | undefined
  /** Of a search: the newest event that it saw, from which `live` goes on. */
  event_id: string | undefined
  /** It was answered before, to the same request under its key. */
  replayed: boolean
}

/** Calls an operation. @throws FacetError */
export async function call<T>(
  connection: Connection,
  name: string,
  route: Route,
  input: object,
  { signal }: CallOptions = {},
): Promise<Answer<T>> {
  const { patience } = connection
  const request = requestOf(name, route, input, { makeKey: patience.retries > 0 })
  const repeatable = route.reads === true || request.headers['idempotency-key'] !== undefined
  return withRetries(
    () =>
      inTime(connection, signal, async (either) => {
        const response = await connection.send({ ...request, signal: either })
        return answerOf<T>(response, await lost(connection.url, either, () => response.text()))
      }),
    patience,
    { repeatable, signal },
  )
}

interface Opening {
  signal: AbortSignal
  headers?: Record<string, string>
  /** What the answer has to be, where anything else would be read as nothing. */
  type?: 'text/event-stream'
  /** Is called before each attempt; what it answers ends that attempt alone, and its answer while it is read. */
  onSend?: () => AbortSignal
  /** Is called after each attempt, whatever became of it. */
  onSettled?: () => void
}

/** Opens a stream of events, or of a file. @throws FacetError */
export async function open(
  connection: Connection,
  name: string,
  route: Route,
  input: object,
  { signal, headers, type, onSend, onSettled }: Opening,
): Promise<ReadableStream<Uint8Array>> {
  checkSignal(signal)
  const request = requestOf(name, route, input, { makeKey: false })
  const attempt = async () => {
    const either = onSend?.() ?? signal
    try {
      const sent = { ...request, headers: { ...request.headers, ...headers }, signal: either }
      return bodyOf(await connection.send(sent), type)
    } finally {
      onSettled?.()
    }
  }
  return withRetries(attempt, connection.patience, { repeatable: route.reads === true, signal })
}

/** @throws FacetError where it is of another type: a page of something in between */
function bodyOf(response: Response, type: string | undefined): ReadableStream<Uint8Array> {
  const { body, headers } = response
  if (!body) throw new TypeError('fetch: answers without a body that can be read as it comes')
  if (type === undefined || headers.get('content-type')?.startsWith(type)) return body
  void body.cancel()
  throw refusal(response, '')
}

/** Runs one attempt, which has so much time and ends when the caller says so. */
async function inTime<T>(
  { timeout, url }: Connection,
  signal: AbortSignal | undefined,
  run: (either: AbortSignal) => Promise<T>,
): Promise<T> {
  const { controller, release } = boundTo(signal)
  controller.signal.throwIfAborted()
  const late = unreachable(url, new Error(`no answer within ${timeout} ms`))
  const settled = after(timeout, () => controller.abort(late))
  try {
    return await run(controller.signal)
  } finally {
    settled()
    release()
  }
}

function answerOf<T>(response: Response, text: string): Answer<T> {
  const { headers } = response
  const total = headers.get('x-total-count')
  return {
    data: read<T>(response, text),
    next: headers.get('x-next-cursor') ?? undefined,
    total: total === null ? undefined : Number(total),
    warnings: JSON.parse(headers.get('x-filter-warnings') ?? '[]') as string[],
    change_id: headers.get('x-change-id') ?? undefined,
    event_id: headers.get('x-event-id') ?? undefined,
    replayed: headers.get('idempotency-replayed') === 'true',
  }
}

function read<T>(response: Response, text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw refusal(response, text)
  }
}
