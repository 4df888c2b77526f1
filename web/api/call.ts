import { Fault, unreachable } from '#web/api/fault.ts'
import type { Route } from '#web/api/route.ts'
import { serviceBack } from '#web/api/service-state.ts'
import {
  asAccount,
  sessionBack,
  sessionState,
  setSessionState,
  wasForbidden,
} from '#web/api/session-state.ts'
import { newKey } from '#web/rules/new-key.ts'
import { Slot, useSlot } from '#web/store.ts'

export interface Answer<T> {
  data: T
  /** The cursor of the next page. */
  next: string | undefined
  total: number | undefined
  /** Notifications that are not read yet. */
  unread: number | undefined
  warnings: readonly string[]
  /** Of a search: the newest event that it saw. Of a service with a session: the newest one. */
  event_id: string | undefined
  /** Of a write that recorded something: what `changes/undo` takes. */
  change_id: string | undefined
}

export interface CallOptions {
  signal?: AbortSignal
  headers?: Readonly<Record<string, string>>
  /** What is asked of somebody who is not signed in: a 401 is an answer there. */
  anonymous?: boolean
  /** What it writes outlasts the page: nobody has to stay while it waits for the service. */
  isKept?: boolean
  /** It fails where the service does not answer, as what nobody can go back from while it waits, nor may want then. */
  isAtOnce?: boolean
}

/** Writes that are under way. */
const writing = new Slot<readonly Promise<unknown>[]>('writing', 'page', () => [])
/** How many of them wait for the service, and are lost with the page. */
const waiting = new Slot<number>('waiting_writes', 'page', () => 0)

export const useWritesWait = (): boolean => useSlot(waiting, (count) => count > 0)

/** What writes counts as under way from now on, though it may have to read, or to wait, before it sends. */
export function asWrite<T>(work: Promise<T>): Promise<T> {
  writing.update((all) => [...all, work])
  void Promise.allSettled([work]).then(() => writing.update((all) => all.filter((each) => each !== work)))
  return work
}

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
 * may be sent twice, waits for a service that does not answer: a change of the base is carried out once, also where the
 * answer to it was lost.
 * @throws Fault
 */
export function call<I extends object, O>(
  route: Route<I, O>,
  input: I,
  options: CallOptions = {},
): Promise<Answer<O>> {
  const answer = answerTo(route, input, options, read<O>)
  return route.reads ? answer : asWrite(answer)
}

/** What a read answers that is no JSON, as a file. @throws Fault */
export const callForFile = <I extends object>(route: Route<I, unknown>, input: I): Promise<Blob> =>
  answerTo(route, input, {}, fileOf)

/** Times that an answer may be broken before what asked is told: something in between may break it each time. */
const MOST_BROKEN = 3
/** The same of what does not arrive at all, though the service answers others: something may refuse this one alone. */
const MOST_LOST = 10

/** An answer counts when all of it is there, so it is read where what does not arrive is asked for again. */
async function answerTo<I extends object, T>(
  route: Route<I, unknown>,
  input: I,
  options: CallOptions,
  take: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal, anonymous = false } = options
  const maySendAgain = !options.isAtOnce && (route.reads || route.keyed || route.method === 'PUT')
  const headers = { ...(route.keyed && maySendAgain && { 'idempotency-key': newKey() }), ...options.headers }
  const once = () => send(route, input, { ...options, headers })
  for (let broken = 0, lost = 0; ;) {
    let isBroken = false
    try {
      const response = anonymous ? await once() : await inSession(once, signal)
      isBroken = true // until all of it is there
      return await take(response)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (!(error instanceof Fault)) throw error
      const back = untilAgain(error)
      if (!back) throw error
      if (error.status === 0 && isBroken) broken++
      if (error.status === 0 || isUnknown(error)) lost++
      if (!maySendAgain || broken >= MOST_BROKEN || lost >= MOST_LOST) throw error
      await whileHeld(!route.reads && !options.isKept, orAborted(back, signal))
    }
  }
}

/** When what has failed so may be sent again; undefined: never, it is an answer. */
function untilAgain(fault: Fault): Promise<void> | undefined {
  if (fault.status === 0) return serviceBack() // says so on the page, and when it is over
  if (isUnknown(fault)) return pause(1)
  // What has arrived and is under way has its answer a moment later, under its key; a service that is ending takes nothing.
  const { status, retryAfter } = fault
  return (status === 409 || status === 503) && retryAfter !== undefined ? pause(retryAfter) : undefined
}

/** Of a change: whether it was made is not known. Under its key it is carried out once. */
const isUnknown = ({ status, details }: Fault) => status === 503 && details['outcome'] === 'unknown'

const pause = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000))

async function whileHeld(isHeld: boolean, work: Promise<void>): Promise<void> {
  if (!isHeld) return work
  waiting.update((count) => count + 1)
  try {
    await work
  } finally {
    waiting.update((count) => count - 1)
  }
}

/**
 * Sends as the account whose page it is: a session that has ended is waited for, and it goes on after it. Nothing is
 * sent once that account has gone: the cookie may be another one's by then.
 * @throws Fault
 */
export async function inSession(send: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
  for (;;) {
    if (sessionState() === 'ended') await orAborted(sessionBack(), signal)
    if (sessionState() === 'signed_out') throw signedOut()
    const response = await send()
    if (response.status === 403) wasForbidden()
    if (response.status !== 401) return response
    if (sessionState() === 'unknown') {
      setSessionState('signed_out')
      return response
    }
    if (sessionState() === 'signed_in') setSessionState('ended')
  }
}

const signedOut = () => new Fault(401, { error: 'Unauthorized', message: 'You have signed out' })

function send<I extends object>(
  route: Route<I, unknown>,
  input: I,
  { signal, headers }: CallOptions,
): Promise<Response> {
  const { url, body } = requestOf(route, input)
  return fetchOf(url, {
    method: route.method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...asAccount(),
      ...headers,
    },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  })
}

/** @throws Fault where there is no answer */
export const fetchOf = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, init).catch((error: unknown) => {
    throw init.signal?.aborted ? error : unreachable()
  })

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
  const data = await jsonOf(response)
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
    event_id: headers.get('x-event-id') ?? undefined,
    change_id: headers.get('x-change-id') ?? undefined,
  }
}

/** What an answer holds, all of which is JSON. @throws Fault, also where it is cut off or not the service's */
export async function jsonOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw faultOf(response.status, body)
  if (body === undefined) throw unreachable()
  return body
}

async function fileOf(response: Response): Promise<Blob> {
  if (!response.ok || isPage(response)) await jsonOf(response)
  return response.blob().catch(() => {
    throw unreachable()
  })
}

/** What no call is answered with: it is of something in between, which wants a sign-in of its own, for instance. */
const isPage = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/html') ?? false

/** What a proxy says of a service that it does not reach. */
const OF_PROXY = new Set([502, 503, 504])

/** An answer that refuses, as a fault. */
function faultOf(status: number, body: unknown): Fault {
  const known = body as { error?: string; message?: string } | null | undefined
  if (known?.error && known.message) return new Fault(status, known as { error: string; message: string })
  // A proxy in between answers in its own words.
  if (OF_PROXY.has(status)) return unreachable()
  return new Fault(status, { error: 'Unknown', message: `The service answered with status ${status}.` })
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
