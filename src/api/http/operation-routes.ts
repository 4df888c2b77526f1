import type { Caller } from '#src/domain/caller.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codingOf } from '#src/api/http/compress-answers.ts'
import { entityTag, ifMatch, isKnown, timeOf } from '#src/api/http/conditional-request.ts'
import { identifyCaller } from '#src/api/http/identify-caller.ts'
import { mergeInput } from '#src/api/http/merge-input.ts'
import { applySession } from '#src/api/http/session-cookie.ts'
import { publicBody } from '#src/api/http/public-body.ts'
import { sealedMeta } from '#src/operations/live/sealed-cursor.ts'
import { metaHeaders } from '#src/api/http/meta-headers.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { freeWhenSent } from '#src/api/http/outlet.ts'
import { streamPages } from '#src/api/http/stream-pages.ts'
import { untilClientLeaves } from '#src/api/http/until-client-leaves.ts'
import { OpenStreams } from '#src/api/open-streams.ts'
import type { Reply } from '#src/domain/reply.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { findChangedTags } from '#src/operations/audit/audit-steps.ts'
import { callOperation, type Conditions, endsEarly, type Runtime } from '#src/runtime/call.ts'
import { FairQueue } from '#src/domain/fair-queue.ts'
import { checkKey } from '#src/runtime/idempotency.ts'
import type { Operation } from '#src/runtime/operation.ts'
import { allPages, STREAM_TEXT } from '#src/operations/paging.ts'

interface Route {
  method: string
  /** With path parameters in braces. */
  path: string
}

/** `POST /api/items/{item_id}/tags` and its like, of one operation. */
export const routesOf = ({ rest }: Operation): Route[] =>
  [rest ?? []].flat().map((each) => {
    const [method = '', path = ''] = each.split(' ')
    return { method, path }
  })

/** Whole lists that are under way, of one account and of all: each holds a page in memory for its reader. */
const MAX_LISTS = { kind: 'list' as const, max: 10, all: 200, what: 'whole lists' }

/** Pages of them that are read at once: an account's own wait for each other, so that they come behind others' reads. */
const PAGES = { at_once: MAX_LISTS.all, of_one_key: 2, max_wait: 60_000, what: 'whole lists' }

/** Whole lists and their pages. */
interface Lists {
  open: OpenStreams
  pages: FairQueue
}

/** Every operation that has a REST route. */
export function operationRoutes(app: FastifyInstance, parts: ServerParts): void {
  const lists = { open: new OpenStreams(parts.runtime, MAX_LISTS), pages: new FairQueue(PAGES) }
  for (const operation of parts.operations)
    for (const { method, path } of routesOf(operation))
      app.route({
        method,
        ...(operation.access !== 'user' && publicBody(parts)),
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        ...identifyCaller(parts.runtime, operation),
        handler: (request, reply) => answer(parts, lists, operation, request, reply),
      })
}

async function answer(
  { runtime }: ServerParts,
  lists: Lists,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const input = mergeInput(operation, request)
  if (operation.paged && (input.limit ?? null) === null)
    return answerWhole(runtime, lists, operation, request, reply, input)
  const call = (signal?: AbortSignal) =>
    callOperation(runtime, operation, request.caller, input, signal, conditionsOf(operation, request))
  const answered = await (endsEarly(operation, input)
    ? untilClientLeaves(runtime, request, reply, call)
    : call())
  const { meta } = answered
  if (meta) {
    if (meta.status) void reply.code(meta.status)
    applySession(reply, meta)
    metaHeaders(reply, sealedMeta(runtime.services.secrets, request.caller, meta))
    if (typeof meta.session_change === 'object') request.caller = signedIn(request.caller, answered.json)
  }
  // Chosen fields are not the entity, nor is a proposal, whatever else may be called `updated_at` in them.
  if (operation.conditional && !input.return_fields && meta?.status !== 202) {
    const tag = entityTag(answered.json, input.view_id !== undefined)
    if (tag) void reply.header('etag', tag)
    // What else is asked for besides the entity can have changed without it, and so can the tags that it shows.
    // Who sees a part must not learn by it that a tag which they do not see has gone.
    const isWhole =
      tag && operation.effect === 'read' && !input.expand && !input.as_of && !request.caller.limited
    if (isWhole && isKnown(request.headers, tag) && (await showsSameTags(runtime, tag, input, answered)))
      return reply.code(304).send()
  }
  return sendJson(reply, answered)
}

/**
 * Whether no tag that is shown has changed since the state that a tag names: its own `updated_at` says that of what is
 * shown besides. A view shows any tag, by its name.
 */
async function showsSameTags(
  runtime: Runtime,
  tag: string,
  { item_id, tag_id, view_id }: Record<string, unknown>,
  { json }: Reply,
): Promise<boolean> {
  const changed = await runStep(runtime, findChangedTags, {
    after: Date.parse(timeOf(tag)),
    item_id: (typeof item_id === 'string' && parseUlid(item_id)) || undefined,
  })
  if (!changed?.length) return changed !== null
  if (view_id !== undefined) return false
  const shown = new Set(json.match(ULID_IN_JSON))
  return !changed.some((id) => id !== tag_id && shown.has(id))
}

/** Looked for once, however many tags have changed: an answer may be long. */
const ULID_IN_JSON = /(?<=")[0-7][0-9A-HJKMNP-TV-Z]{25}(?=")/g

/** What the headers say of a change (additions §5). */
function conditionsOf(operation: Operation, { headers }: FastifyRequest): Conditions {
  if (operation.effect === 'read') return {}
  const key = headers['idempotency-key']
  return {
    precondition: operation.conditional && ifMatch(headers),
    key: key === undefined ? undefined : checkKey(key, 'Idempotency-Key'),
  }
}

/** For the log: whom a sign-in was of. */
function signedIn(caller: Caller, json: string): Caller {
  const { user_id = null } = JSON.parse(json) as { user_id?: string }
  return { ...caller, user_id }
}

/** A list without a limit goes out whole, in pages; its first page decides the status. */
async function answerWhole(
  runtime: Runtime,
  { open, pages: turns }: Lists,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  input: Record<string, unknown>,
): Promise<FastifyReply> {
  const pages = allPages(
    (page) =>
      turns.run(request.caller.user_id ?? '', () =>
        untilClientLeaves(runtime, request, reply, (signal) =>
          callOperation(runtime, operation, request.caller, page, signal, { page_text: STREAM_TEXT }),
        ),
      ),
    input,
  )
  const first = (await pages.next()).value as Reply
  if (first.meta)
    metaHeaders(reply, {
      ...sealedMeta(runtime.services.secrets, request.caller, first.meta),
      next: undefined,
    })
  if (first.meta?.next === undefined || request.method === 'HEAD') return sendJson(reply, first)
  await open.while(request.caller, reply.raw, () =>
    streamPages(reply, first, pages, { coding: codingOf(request, reply) }),
  )
  return reply
}

function sendJson(reply: FastifyReply, { body }: Reply): FastifyReply {
  if (typeof body !== 'string') freeWhenSent(reply.raw, body)
  return reply.type('application/json; charset=utf-8').send(body)
}
