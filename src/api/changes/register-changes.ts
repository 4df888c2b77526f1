import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { answerWithStream } from '#src/api/answer-with-stream.ts'
import { ChangeFeed } from '#src/api/changes/change-feed.ts'
import { ChangeFollower, type Wanted } from '#src/api/changes/change-follower.ts'
import { UnreadWatch } from '#src/api/changes/unread-watch.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { registerLive } from '#src/api/live/register-live.ts'
import { OpenStreams } from '#src/api/open-streams.ts'
import { type Caller, userOf } from '#src/domain/caller.ts'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { readNewEvents } from '#src/operations/audit/audit-steps.ts'
import { listNotifications } from '#src/operations/notifications/list-notifications.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import { checkCaller } from '#src/runtime/may-call.ts'
import { EVENT_TYPES } from '#src/storage/log/audit-log.ts'
import type { FollowedEvents } from '#src/storage/log/find-events.ts'

const MAX_STREAMS = 100

/** GET /api/changes/stream (additions §9), and with it what counts to the same bound: live filters (further §19). */
export function registerChanges(app: FastifyInstance, parts: ServerParts): void {
  const { runtime } = parts
  const open = new OpenStreams(runtime, { kind: 'changes', max: MAX_STREAMS, what: 'streams of changes' })
  const feed = new ChangeFeed(runtime, (err) => app.log.warn({ err }, 'new events could not be read'))
  const unread = new UnreadWatch(runtime, (err) =>
    app.log.warn({ err }, 'unread notifications could not be counted'),
  )
  app.addHook('preClose', async () => open.endAll())
  registerLive(app, parts, open)

  const handler: RouteHandlerMethod = async (request, reply) => {
    const { after, wanted, notifications } = readQuery(
      request.query as Query,
      request.headers['last-event-id'],
    )
    if (notifications) checkCaller(listNotifications, request.caller)
    const read = reader(runtime, request.caller, wanted)
    await answerWithStream({ open, heartbeat: parts.heartbeat }, request, reply, async () => {
      const cursor = after ?? (await read(null, 1)).head
      return (stream) => {
        if (notifications) unread.join(stream, userOf(request.caller))
        const follower = new ChangeFollower(feed, stream, { cursor, wanted, read })
        follower.catchUp().catch((err: unknown) => {
          app.log.warn({ err }, 'a stream of changes was ended')
          stream.close() // its client comes back with the last event that it has
        })
      }
    })
  }
  registerRoutes(app, parts, describedRoutes.changes, {
    'GET /api/changes/stream': { exposeHeadRoute: false, handler },
  })
}

function reader(runtime: Runtime, caller: Caller, wanted: Wanted) {
  return async (after: string | null, limit: number): Promise<FollowedEvents> => {
    const { json } = await runOperation(runtime, readNewEvents, caller, { after, limit, ...wanted })
    return JSON.parse(json) as FollowedEvents
  }
}

type Query = Record<string, string | string[] | undefined>
const LISTS = ['tag_ids', 'item_ids', 'event_types'] as const
const SHOWN = ['after', 'notifications', ...LISTS]
/** `expected_user` is looked at where the caller is found. */
const KNOWN = [...SHOWN, 'expected_user']

/** @throws BadRequest with every fault */
function readQuery(
  query: Query,
  last: string | string[] | undefined,
): { after: string | undefined; wanted: Wanted; notifications: boolean } {
  const problems: Problem[] = []
  for (const name of Object.keys(query))
    if (!KNOWN.includes(name))
      problems.push({ path: name, message: `unknown parameter; expected one of: ${SHOWN.join(', ')}` })
  const id = (path: string, text: string): string => {
    const parsed = parseUlid(text)
    if (parsed === null) problems.push({ path, message: `expected an id, got '${text.slice(0, 100)}'` })
    return parsed ?? text
  }
  const type = (path: string, text: string): string => {
    if (!(EVENT_TYPES as readonly string[]).includes(text))
      problems.push({ path, message: `expected one of ${EVENT_TYPES.join(', ')}` })
    return text
  }
  const wanted: Wanted = {}
  for (const name of LISTS) {
    const given = query[name]
    if (given === undefined) continue
    const values = String(given).split(',')
    wanted[name] = values.map((each, i) => (name === 'event_types' ? type : id)(`${name}[${i}]`, each.trim()))
  }
  const rings = String(query['notifications'] ?? false)
  if (rings !== 'true' && rings !== 'false')
    problems.push({ path: 'notifications', message: `expected true or false, got '${rings.slice(0, 100)}'` })
  // A browser that reconnects asks for the same address, with the header that says how far it came.
  const [path, given] = last ? ['Last-Event-ID', String(last)] : ['after', query['after']]
  const after = given === undefined ? undefined : id(path, String(given))
  if (problems.length) throw invalid(problems)
  return { after, wanted, notifications: rings === 'true' }
}
