import { call, type CallOptions } from './call.ts'
import type { Connection } from './connection.ts'
import { plain } from './request.ts'
import type { Route } from './route.ts'

/** Elements of a page, where the input does not say how many. */
const PAGE = 200

/** The elements of a list, page by page: only the page that is being read is in memory. */
export async function* pages<T>(
  connection: Connection,
  name: string,
  route: Route,
  input: object,
  options: CallOptions,
): AsyncGenerator<T, void, undefined> {
  const { paged } = route
  if (paged === undefined) throw new TypeError(`pages: '${name}' answers no list that comes in pages`)
  let given: { limit?: number; skip?: undefined; after_event?: string | null } = {
    ...plain(name, 'input is', input),
  }
  given.limit ??= PAGE
  // The audit log is read either way.
  const goesForward = paged === 'before_event' && (given.after_event ?? null) !== null
  const cursor = goesForward ? 'after_event' : paged
  for (;;) {
    const { data, next } = await call<T[]>(connection, name, route, given, options)
    yield* data
    if (next === undefined) return
    given = { ...given, skip: undefined, [cursor]: next }
  }
}
