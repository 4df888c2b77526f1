import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerWithStream } from '#src/api/answer-with-stream.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { mergeInput } from '#src/api/http/merge-input.ts'
import { warningsHeader } from '#src/api/http/meta-headers.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { LiveHub } from '#src/api/live/live-hub.ts'
import { LiveStream } from '#src/api/live/live-stream.ts'
import type { OpenStreams } from '#src/api/open-streams.ts'
import { invalid } from '#src/domain/errors.ts'
import type { LiveCursor } from '#src/operations/live/live-cursor.ts'
import { openedCursor, sealedId } from '#src/operations/live/sealed-cursor.ts'
import { FollowFilter, type FollowInput, FollowView } from '#src/operations/live/live-schemas.ts'
import { beginLive, type LiveStart } from '#src/operations/live/live-steps.ts'
import { runOperation } from '#src/runtime/call.ts'
import type { Operation } from '#src/runtime/operation.ts'
import { requestedTimeZone } from '#src/runtime/requested-options.ts'
import { validateInput } from '#src/runtime/validate-input.ts'

/** The streams of further §19; `open` counts them with those of changes. */
export function registerLive(app: FastifyInstance, parts: ServerParts, open: OpenStreams): void {
  const hub = new LiveHub(parts.runtime, (err) =>
    app.log.warn({ err }, 'live filters could not be looked at'),
  )
  const handler = (input: Operation['input']) => async (request: FastifyRequest, reply: FastifyReply) => {
    const given = (await validateInput({ input }, mergeInput({ input }, request))) as FollowInput
    await follow(parts, { hub, open }, request, reply, given)
  }
  registerRoutes(app, parts, describedRoutes.live, {
    'POST /api/items/search/stream': handler(FollowFilter),
    'GET /api/views/{view_id}/stream': { exposeHeadRoute: false, handler: handler(FollowView) },
  })
}

async function follow(
  { runtime, heartbeat }: ServerParts,
  { hub, open }: { hub: LiveHub; open: OpenStreams },
  request: FastifyRequest,
  reply: FastifyReply,
  { filter, view_id, fields, time_zone: given, after: from }: FollowInput,
): Promise<void> {
  const { caller, headers } = request
  const { secrets } = runtime.services
  const after = cursorOf((text) => openedCursor(secrets, caller, text), from, headers['last-event-id'])
  const time_zone = requestedTimeZone({ time_zone: given }) ?? runtime.services.config.time_zone
  await answerWithStream({ open, heartbeat }, request, reply, async () => {
    const now = runtime.clock()
    const input = { filter, view_id, fields, time_zone: given, from: after }
    const begun = await runOperation(runtime, beginLive, caller, input)
    const start = JSON.parse(begun.json) as LiveStart
    const joining = {
      isBehind: Boolean(after),
      user_id: caller.user_id!,
      bytes: Buffer.byteLength(start.filter.filter),
    }
    hub.checkRoom(joining.user_id, joining.bytes)
    if (start.warnings.length) void reply.header('x-filter-warnings', warningsHeader(start.warnings))
    const cursor = after ?? { event: start.head, moment: now }
    const view = view_id === undefined ? undefined : { view_id: start.view_id!, user_id: caller.user_id! }
    return (stream) => {
      const { seen, filter: own, version, head: read_at } = start
      const toldId = (id: string) => sealedId(secrets, caller, id)
      const parts = { filter: seen ?? own, version, read_at, cursor, time_zone, fields, view, toldId }
      const live = new LiveStream(stream, parts)
      live.become({ ...own, version, read_at })
      hub.join(live, joining)
    }
  })
}

/** A browser that reconnects asks for the same address, with the header that says how far it came. */
function cursorOf(
  read: (text: string) => LiveCursor | null,
  after: string | undefined,
  last: string | string[] | undefined,
): LiveCursor | undefined {
  const [path, text] = last ? ['Last-Event-ID', String(last)] : ['after', after]
  if (text === undefined) return undefined
  const cursor = read(text)
  if (!cursor)
    throw invalid([{ path, message: `expected the id of an event or a moment, got '${text.slice(0, 100)}'` }])
  return cursor
}
