import { call } from './call.ts'
import type { Connection } from './connection.ts'
import { follow } from './follow.ts'
import { type Filter, type ListedItem, ROUTES } from './operations.ts'
import type { Route } from './route.ts'

interface LiveChoice {
  /** Only these properties of each item, and values. */
  fields?: readonly string[] | undefined
  /** Where it is today, for relative times. */
  time_zone?: string | undefined
  /** `event_id` of a search, or the last `id` that was dealt with; without it from now on. */
  after?: string | undefined
  /** Ends it: the iteration rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** A filter, or the one of a view. */
export type LiveOptions = LiveChoice & ({ filter: Filter } | { view_id: string })

interface Told {
  /** From where one can go on who has got this; not every message has one. */
  id?: string
}
interface Caused extends Told {
  /** The last event that did it; null: the time, or another filter of the view. */
  event_id: string | null
  change_id: string | null
}

/** What becomes of items for a filter. */
export type LiveEvent =
  | (Caused & { type: 'enter' | 'change'; item: ListedItem })
  | (Caused & { type: 'leave'; item_id: string })
  /** Too much has happened: search again. */
  | (Told & { type: 'reset'; count: number })
  /** The view is deleted, or shared no more; nothing follows. */
  | { type: 'end'; view_id: string; reason: string }

const OF_FILTER: Route = { method: 'POST', path: '/api/items/search/stream', reads: true }
const OF_VIEW: Route = { method: 'GET', path: '/api/views/{view_id}/stream', reads: true }

/**
 * What comes into a filter or a view, changes in it and leaves it, as it happens.
 * @throws FacetError, as `follow`
 * @throws TypeError where it is not said which, or both are
 */
export async function* followLive(
  connection: Connection,
  { after, signal, ...rest }: LiveOptions & { signal: AbortSignal },
): AsyncGenerator<LiveEvent, void, undefined> {
  const { filter, view_id, ...more } = rest as typeof rest & { filter?: Filter; view_id?: string }
  const hasView = (view_id ?? undefined) !== undefined
  if (hasView === ((filter ?? undefined) !== undefined))
    throw new TypeError("live: expected either a 'filter' or a 'view_id'")
  const [route, which] = hasView ? [OF_VIEW, { view_id: view_id! }] : [OF_FILTER, { filter: filter! }]
  const input = { ...more, ...which }
  const last = after ?? (await newestSeen(connection, input, signal))
  const followed = { name: 'live items', route, input, last, signal }
  for await (const { event, data, id } of follow(connection, followed)) {
    const told = { ...(JSON.parse(data) as object), ...(id !== undefined && { id }) }
    yield { type: event, ...told } as LiveEvent
    if (event === 'end') return
  }
}

/** Without it, what happens while the first connection is lost would be missed. */
async function newestSeen(
  connection: Connection,
  asked: Omit<LiveOptions, 'after' | 'signal'>,
  signal: AbortSignal,
): Promise<string> {
  const input = { ...asked, fields: undefined, limit: 1 }
  const { event_id } = await call(connection, 'searchItems', ROUTES.searchItems, input, { signal })
  if (event_id === undefined) throw new TypeError('live: the service is older than this client')
  return event_id
}
