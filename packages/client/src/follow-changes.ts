import { call } from './call.ts'
import type { Connection } from './connection.ts'
import { follow } from './follow.ts'
import { type AuditEvent, ROUTES } from './operations.ts'
import type { Route } from './route.ts'

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

/** The events of the log as they happen, each once, in order. @throws FacetError, as `follow` */
export async function* followChanges(
  connection: Connection,
  { after, signal, ...only }: ChangesOptions & { signal: AbortSignal },
): AsyncGenerator<AuditEvent, void, undefined> {
  const input = Object.fromEntries(
    Object.entries(only).map(([name, values]) => [name, (values ?? undefined) && listed(name, values)]),
  )
  const last = after ?? (await newestEvent(connection, signal))
  const followed = { name: 'changes', route: STREAM, input, last, signal }
  for await (const { event, data } of follow(connection, followed))
    if (event === 'audit') yield JSON.parse(data) as AuditEvent
}

/** @throws TypeError where it is no list */
function listed(name: string, values: unknown): string {
  if (!Array.isArray(values)) throw new TypeError(`changes: '${name}' takes a list`)
  return values.join(',')
}

/** Without it, what happens while the first connection is lost would be missed. */
async function newestEvent(connection: Connection, signal: AbortSignal): Promise<string> {
  const { data } = await call<AuditEvent[]>(
    connection,
    'searchAuditLog',
    ROUTES.searchAuditLog,
    { limit: 1 },
    { signal },
  )
  return data[0]?.event_id ?? BEGINNING
}
