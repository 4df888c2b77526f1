import { Fault, unreachable } from '#web/api/fault.ts'
import type { Route } from '#web/api/route.ts'
import { serviceBack } from '#web/api/service-state.ts'
import { asAccount, sessionBack, sessionState, setSessionState } from '#web/api/session-state.ts'
import { Slot } from '#web/store.ts'

export interface Answer<T> {
  data: T
  /** The cursor of the next page. */
  next: string | undefined
  total: number | undefined
  /** Notifications that are not read yet. */
  unread: number | undefined
  warnings: readonly string[]
  /** Of a write that recorded something: what `changes/undo` takes. */
  change_id: string | undefined
}

export interface CallOptions {
  signal?: AbortSignal
  headers?: Readonly<Record<string, string>>
  /** What is asked of somebody who is not signed in: a 401 is an answer there. */
  anonymous?: boolean
}

/** Writes that are under way. */
const writing = new Slot<readonly Promise<unknown>[]>('writing', 'page', () => [])

/** Resolves when all that is being written now has its answer, and the one that asked has taken it. */
export async function writesDone(): Promise<void> {
  while (writing.get().length) {
    await Promise.allSettled(writing.get())
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/**
 * Calls an operation.
 *
 * A session that ended meanwhile is asked for over the page, and the call goes on after it. A read, and a write that
 * may be sent twice, waits for a service that does not answer.
 * @throws Fault
 */
export function call<I extends object, O>(
  route: Route<I, O>,
  input: I,
  options: CallOptions = {},
): Promise<Answer<O>> {
  const answer = responseTo(route, input, options).then(read<O>)
  if (!route.reads) {
    writing.update((all) => [...all, answer])
    void Promise.allSettled([answer]).then(() =>
      writing.update((all) => all.filter((each) => each !== answer)),
    )
  }
  return answer
}

/** What a read answers that is no JSON, as a file. @throws Fault */
export async function callForFile<I extends object>(route: Route<I, unknown>, input: I): Promise<Blob> {
  const response = await responseTo(route, input, {})
  if (!response.ok) throw faultOf(response.status, await response.json().catch(() => undefined))
  return response.blob().catch(() => {
    throw unreachable()
  })
}

async function responseTo<I extends object>(
  route: Route<I, unknown>,
  input: I,
  options: CallOptions,
): Promise<Response> {
  const { signal, anonymous = false } = options
  for (;;) {
    const once = () => send(route, input, options)
    const response = anonymous ? await once() : await inSession(once, signal)
    if (response !== 'gone') return response
    await orAborted(serviceBack(), signal)
  }
}

/**
 * Sends as the account whose page it is: a session that has ended is waited for, and it goes on after it. Nothing is
 * sent once that account has gone: the cookie may be another one's by then.
 * @throws Fault
 */
export async function inSession<R extends Response | 'gone'>(
  send: () => Promise<R>,
  signal?: AbortSignal,
): Promise<R> {
  for (;;) {
    if (sessionState() === 'ended') await orAborted(sessionBack(), signal)
    if (sessionState() === 'signed_out') throw signedOut()
    const response = await send()
    if (response === 'gone' || response.status !== 401) return response
    if (sessionState() === 'unknown') {
      setSessionState('signed_out')
      return response
    }
    if (sessionState() === 'signed_in') setSessionState('ended')
  }
}

const signedOut = () => new Fault(401, { error: 'Unauthorized', message: 'You have signed out' })

async function send<I extends object>(
  route: Route<I, unknown>,
  input: I,
  { signal, headers }: CallOptions,
): Promise<Response | 'gone'> {
  const { url, body } = requestOf(route, input)
  try {
    return await fetch(url, {
      method: route.method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...asAccount(),
        ...headers,
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    const maySendAgain = route.reads || route.method === 'PUT' || headers?.['idempotency-key'] !== undefined
    if (maySendAgain) return 'gone'
    void serviceBack() // says so on the page, and when it is over
    throw unreachable()
  }
}

/** Path parameters from the input; the rest as query or as body. */
export function requestOf<I extends object>(
  { method, path }: Pick<Route<I, unknown>, 'method' | 'path'>,
  input: I,
): { url: string; body: string | undefined } {
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(left.get(name))
    left.delete(name)
    return encodeURIComponent(value)
  })
  if (method === 'GET' || method === 'DELETE') {
    const query = new URLSearchParams([...left].map(([name, value]) => [name, String(value)])).toString()
    return { url: query ? `${address}?${query}` : address, body: undefined }
  }
  return { url: address, body: JSON.stringify(Object.fromEntries(left)) }
}

async function read<T>(response: Response): Promise<Answer<T>> {
  const { headers } = response
  const data: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw faultOf(response.status, data)
  const count = (name: string) => {
    const text = headers.get(name)
    return text === null ? undefined : Number(text)
  }
  return {
    data: data as T,
    next: headers.get('x-next-cursor') ?? undefined,
    total: count('x-total-count'),
    unread: count('x-unread-count'),
    warnings: JSON.parse(headers.get('x-filter-warnings') ?? '[]') as string[],
    change_id: headers.get('x-change-id') ?? undefined,
  }
}

/** An answer that refuses, as a fault. */
export function faultOf(status: number, body: unknown): Fault {
  const known = body as { error?: string; message?: string } | undefined
  // A proxy in between answers in its own words.
  if (!known?.error || !known.message)
    return new Fault(status, { error: 'Unknown', message: `The service answered with status ${status}.` })
  return new Fault(status, known as { error: string; message: string })
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason as Error)
      else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    }),
  ])
}
