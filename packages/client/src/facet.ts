import { call, type CallOptions, open } from './call.ts'
import { type ClientOptions, connect, type Connection } from './connection.ts'
import { endable } from './end.ts'
import { fileCalls } from './files.ts'
import { type ChangesOptions, followChanges } from './follow-changes.ts'
import { followLive, type LiveOptions } from './follow-live.ts'
import type { Facet, TaggedItem } from './methods.ts'
import { ROUTES } from './operations.ts'
import { pages } from './pages.ts'
import { decision, type DecisionOptions, propose, type ProposeOptions } from './propose.ts'
import { readEvents } from './read-events.ts'
import { plain } from './request.ts'
import type { Route } from './route.ts'
import type { ClientTags, TagValues } from './tag-values.ts'

/** Answers with a file. */
const EXPORT: Route = { method: 'POST', path: '/api/items/export', reads: true }

/** A client of the base at an address. @throws TypeError where an option is none */
export function facet<Tags extends ClientTags<Tags> = Record<string, TagValues>>(
  options: ClientOptions = {},
): Facet<Tags> {
  const connection = connect(options)
  const changes = (given: ChangesOptions = {}) =>
    endable(plain('changes', 'options are', given).signal, (signal) =>
      followChanges(connection, { ...given, signal }),
    )
  const live = (given: LiveOptions) =>
    endable(plain('live', 'options are', given).signal, (signal) =>
      followLive(connection, { ...given, signal }),
    )
  /** @throws TypeError */
  const routeOf = (name: string): Route => {
    const route = Object.hasOwn(ROUTES, name) ? (ROUTES as Record<string, Route>)[name] : undefined
    if (route && !route.streams) return route
    throw new TypeError(
      Object.hasOwn(client, name)
        ? `'${name}' is not called by its name; use the method ${name} itself`
        : `'${name}' is no operation; openapi.json names them, as operationId`,
    )
  }
  const client: Record<string, unknown> = {
    call: async (name: string, input: object = {}, given?: CallOptions) =>
      call(connection, name, routeOf(name), input, given),
    pages: (name: string, input: object = {}, given: CallOptions = {}) => {
      const route = routeOf(name)
      return endable(given.signal, (signal) => pages(connection, name, route, input, { signal }))
    },
    changes,
    followChanges: changes,
    live,
    followItems: live,
    followView: live,
    propose: (operations: Parameters<typeof propose>[1], given?: ProposeOptions) =>
      propose(connection, operations, given),
    decision: (proposal_id: string, given?: DecisionOptions) => decision(connection, proposal_id, given),
    ...fileCalls(connection),
    exportItems: (input: object, { signal = new AbortController().signal }: CallOptions = {}) =>
      open(connection, 'exportItems', EXPORT, input, { signal }),
    values: ({ data, tags }: TaggedItem, tag: string) =>
      Object.values(data ?? tags ?? {}).find(({ tag_name }) => tag_name === tag)?.field_values,
    tag: (tag: string, values: object = {}) => ({ tag_ref: { Existing: tag }, field_values: values }),
  }
  for (const [name, route] of Object.entries<Route>(ROUTES))
    client[name] = route.streams
      ? (input: object = {}, given: CallOptions = {}) =>
          endable(given.signal, (signal) => events(connection, name, route, input, signal))
      : async (input: object = {}, given?: CallOptions) =>
          (await call(connection, name, route, input, given)).data
  return client as unknown as Facet<Tags>
}

/** An answer that comes in events of JSON. */
async function* events(
  connection: Connection,
  name: string,
  route: Route,
  input: object,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const body = await open(connection, name, route, input, { signal, type: 'text/event-stream' })
  for await (const { data } of readEvents(connection.url, body, { signal })) yield JSON.parse(data)
}
