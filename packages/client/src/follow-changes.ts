import { call, open } from './call.ts'
import type { Connection } from './connection.ts'
import { FacetError } from './errors.ts'
import { type AuditEvent, ROUTES } from './operations.ts'
import { readEvents, type StreamEvent } from './read-events.ts'
import type { Route } from './route.ts'
import { pauseAfter, wait } from './wait.ts'

export interface ChangesOptions {
  /** The id of the last event that was dealt with; without it from now on, with `BEGINNING` the whole log. */
  after?: string | undefined
  /** Only events of these tags. */
  tag_ids?: readonly string[] | undefined
  /** Only events of these items. */
  item_ids?: readonly string[] | undefined
  /** Only events of these types. */
  event_types?: readonly string[] | undefined
  /** Ends it: the iteration rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Before the first event of every log. */
export const BEGINNING = '00000000000000000000000000'

const STREAM: Route = { method: 'GET', path: '/api/changes/stream', reads: true }
/** Milliseconds: the service sends a sign of life every 15 s, so a connection without one is dead. */
const LONGEST_SILENCE = 45_000
/** A connection that has lasted so long was none that failed. */
const LONG_ENOUGH = 10_000

/**
 * The events of the log as they happen, each once, in order. A connection that is lost, and a service that starts
 * again, are waited for, and nothing is missed.
 * @throws FacetError where the stream is refused for good, such as 401 when the key has been revoked
 */
export async function* followChanges(
  connection: Connection,
  { after, signal, ...only }: ChangesOptions = {},
): AsyncGenerator<AuditEvent, void, undefined> {
  const narrowed = Object.fromEntries(
    Object.entries(only).map(([name, values]) => [name, values === undefined ? undefined : values.join(',')]),
  )
  let last = after ?? (await newestEvent(connection, signal))
  let began = false
  for (let failures = 0; ; failures++) {
    const since = Date.now()
    try {
      const events = connected(connection, { last, narrowed, signal }, () => {
        began = true
      })
      for await (const { event, data, id } of events) {
        if (event !== 'audit') continue
        last = id ?? last
        yield JSON.parse(data) as AuditEvent
      }
    } catch (error) {
      if (!began || !isPassing(error)) throw error
    }
    if (Date.now() - since > LONG_ENOUGH) failures = 0
    await wait(pauseAfter(failures), signal)
  }
}

/** Without it, what happens while the first connection is lost would be missed. */
async function newestEvent(connection: Connection, signal: AbortSignal | undefined): Promise<string> {
  const { data } = await call<AuditEvent[]>(
    connection,
    'searchAuditLog',
    ROUTES.searchAuditLog,
    { limit: 1 },
    { signal },
  )
  return data[0]?.event_id ?? BEGINNING
}

/** The events of one connection, which ends where nothing comes for too long. */
async function* connected(
  connection: Connection,
  { last, narrowed, signal }: { last: string; narrowed: object; signal: AbortSignal | undefined },
  onOpen: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const stop = () => controller.abort(signal!.reason)
  signal?.addEventListener('abort', stop, { once: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  const onSign = () => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(new FacetError(0, SILENT)), LONGEST_SILENCE)
  }
  try {
    onSign()
    const headers = { 'last-event-id': last }
    const body = await open(connection, 'changes', STREAM, narrowed, { headers, signal: controller.signal })
    onOpen()
    onSign()
    yield* readEvents(connection.url, body, { signal: controller.signal, onSign })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    controller.abort()
  }
}

const SILENT = { error: 'Unreachable', message: 'The stream of changes has fallen silent' }

const isPassing = (error: unknown): boolean =>
  error instanceof FacetError && (error.status === 0 || error.status === 429 || error.status >= 500)
