import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { InteractionResults } from 'oidc-provider'
import type { AuthorizationServer } from '#src/api/apps/authorization-server.ts'
import { redirectHost } from '#src/api/apps/client-metadata.ts'
import { consentPage, noticePage, type Page, type Question } from '#src/api/apps/consent-page.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import { keepReturn } from '#src/api/http/return-path.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { applySession } from '#src/api/http/session-cookie.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import { type Caller, type Scope, SCOPES } from '#src/domain/caller.ts'
import { isBlank, plainName } from '#src/domain/names.ts'
import { badRequest, ServiceError } from '#src/domain/errors.ts'
import { addApp } from '#src/operations/account/app/app-steps.ts'
import { mcpResource } from '#src/operations/account/app/open-app.ts'
import { confirm } from '#src/operations/account/session/confirm.ts'
import { findProofs } from '#src/runtime/fresh-proof.ts'
import { getMe } from '#src/operations/account/profile/get-me.ts'
import { logout } from '#src/operations/account/session/logout.ts'
import { searchTags } from '#src/operations/tags/search-tags.ts'
import { callOperation, type Runtime, runOperation } from '#src/runtime/call.ts'
import { isFresh } from '#src/runtime/may-call.ts'

const FORM = 'application/x-www-form-urlencoded'
/** The page was shown while the sign-in was fresh, or the field was left empty. */
const STALE = 'It is more than ten minutes since you signed in. Say once more who you are, here, then allow.'
const EXPIRED = 'This request has expired, was answered already, or began in another browser.'

interface ConsentParts extends ServerParts {
  server: () => Promise<AuthorizationServer>
}

interface Pending {
  uid: string
  provider: AuthorizationServer['provider']
  client_id: string
  redirect_uri: string
  asked: Scope
  offline: boolean
}

/** What people see when an app asks: sign in first, then allow or deny (additions §3). */
export function consentRoutes(app: FastifyInstance, parts: ConsentParts): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_, body, done) => {
      const form = new URLSearchParams(body as string)
      // No text of the base holds it, and PostgreSQL does not take it.
      const isText = form.values().every((value) => !value.includes('\0'))
      done(isText ? null : badRequest('The form must not contain U+0000'), form)
    })
    const when =
      (run: typeof decide): RouteHandlerMethod =>
      (request, reply) =>
        withPending(parts, request, reply, (pending) => run(parts, pending, request, reply))
    registerRoutes(scope, parts, unlistedRoutes.consent, {
      'GET /authorize/{uid}': { exposeHeadRoute: false, handler: when(ask) },
      'POST /authorize/{uid}': when(decide),
      'POST /authorize/{uid}/other-account': when(leave),
    })
  })
}

/** The request that waits for an answer; it belongs to the browser that brought it. */
async function withPending(
  { server, web }: ConsentParts,
  request: FastifyRequest,
  reply: FastifyReply,
  run: (pending: Pending) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { provider } = await server()
  const { uid: wanted } = request.params as { uid: string }
  const found = await provider.interactionDetails(request.raw, reply.raw).catch(() => null)
  if (found?.uid !== wanted) return send(reply, noticePage('Begin again', EXPIRED, await web.look()), 400)
  const { client_id, redirect_uri, scope } = found.params as Record<string, string>
  const scopes = (scope ?? '').split(' ')
  return run({
    uid: wanted,
    provider,
    client_id: client_id!,
    redirect_uri: redirect_uri!,
    asked: highestScope(scopes),
    offline: scopes.includes('offline_access'),
  })
}

/** Of those that a text names, what allows most. */
const highestScope = (given: readonly string[]): Scope =>
  SCOPES.findLast((each) => given.includes(each)) ?? 'read'

async function ask(
  parts: ConsentParts,
  pending: Pending,
  request: FastifyRequest,
  reply: FastifyReply,
  fault: string | null = null,
  chosen: Scope = pending.asked,
  chosen_tags: readonly string[] = [],
): Promise<FastifyReply> {
  const { runtime, web } = parts
  const { caller } = request
  if (!isSignedIn(request)) return signInFirst(pending, reply)
  const client = await pending.provider.Client.find(pending.client_id)
  const look = await web.look()
  if (!client) return send(reply, noticePage('Begin again', EXPIRED, look), 400)
  const me = JSON.parse((await callOperation(runtime, getMe, caller, {})).json) as {
    email: string
    user_id: string
  }
  const question: Question = {
    action: `/authorize/${pending.uid}`,
    app: nameOf(client),
    client_uri: client.clientUri ?? null,
    destination: redirectHost(pending.redirect_uri),
    redirect_uri: pending.redirect_uri,
    account: me.email,
    user_id: me.user_id,
    asked: pending.asked,
    role: caller.role!,
    proofs: await proofsAsked(runtime, caller),
    fault,
    chosen,
    tags: await tagsByName(parts, caller),
    chosen_tags,
  }
  return send(reply, consentPage(question, look), fault ? 403 : 200)
}

/** What somebody who signed in a while ago can prove with who they are; null: they need not. */
async function proofsAsked(runtime: Runtime, caller: Caller): Promise<string[] | null> {
  if (isFresh(caller, runtime.clock())) return null
  const { passwords } = runtime.services.config
  return JSON.parse((await runOperation(runtime, findProofs, caller, { passwords })).json) as string[]
}

async function decide(
  parts: ConsentParts,
  pending: Pending,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isSignedIn(request)) return signInFirst(pending, reply)
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  if (form.get('decision') === 'deny') {
    const result = { error: 'access_denied', error_description: 'The person did not allow it' }
    return reply.redirect(await finish(pending, request, reply, result), 303)
  }
  // Another account may have signed in since the page was shown.
  if (form.get('decision') !== 'allow' || form.get('user_id') !== request.caller.user_id)
    return ask(parts, pending, request, reply)
  const chosen = highestScope([form.get('scope') ?? ''])
  const tag_ids = form.getAll('tag_id')
  if (needsProof(parts, request) && !form.get('password') && !form.get('code'))
    return ask(parts, pending, request, reply, STALE, chosen, tag_ids)
  try {
    await prove(parts, request, form)
    const app_id = await grant(parts, pending, request, chosen, tag_ids)
    const login = { accountId: request.caller.user_id!, remember: false }
    return reply.redirect(await finish(pending, request, reply, { login, consent: { grantId: app_id } }), 303)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const words = [error.message, error.suggestion].filter(Boolean).join('. ')
    return ask(parts, pending, request, reply, words, chosen, tag_ids)
  }
}

/** Tags that the page offers. */
const MAX_TAGS = 1000

async function tagsByName({ runtime }: ConsentParts, caller: Caller): Promise<Question['tags']> {
  const sort = [{ by: 'name' }]
  const { json } = await runOperation(runtime, searchTags, caller, { sort, limit: MAX_TAGS })
  return JSON.parse(json) as Question['tags']
}

const finish = (
  { provider }: Pending,
  request: FastifyRequest,
  reply: FastifyReply,
  result: InteractionResults,
) => provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false })

const needsProof = ({ runtime }: ConsentParts, { caller }: FastifyRequest): boolean =>
  !isFresh(caller, runtime.clock())

/** Allowing an app asks for a fresh proof (additions §11). @throws ServiceError */
async function prove(parts: ConsentParts, request: FastifyRequest, form: URLSearchParams): Promise<void> {
  if (!needsProof(parts, request)) return
  const [password, code] = [form.get('password'), form.get('code')]
  await callOperation(parts.runtime, confirm, request.caller, {
    ...(password && { password }),
    ...(!password && code && { code }),
  })
}

/** Makes the app, and the grant under its id. */
async function grant(
  { runtime }: ConsentParts,
  { provider, client_id, asked, offline }: Pending,
  { caller }: FastifyRequest,
  wanted: Scope,
  tag_ids: readonly string[],
): Promise<string> {
  const scope = SCOPES.find((each) => each === asked || each === wanted)!
  const client = await provider.Client.find(client_id)
  if (!client) throw new ServiceError('BadRequest', EXPIRED)
  const limit = tag_ids.length ? { tag_ids } : undefined
  const input = { client_id, name: nameOf(client), client_uri: client.clientUri ?? null, scope, limit }
  const { json } = await runOperation(runtime, addApp, caller, input)
  const { app_id } = JSON.parse(json) as { app_id: string }
  const made = new provider.Grant({ accountId: caller.user_id!, clientId: client_id })
  made.jti = app_id
  made.addResourceScope(mcpResource(runtime.services.config), scope === 'read' ? 'read' : `read ${scope}`)
  if (offline) made.addOIDCScope('offline_access')
  await made.save()
  return app_id
}

/** Ends the session, so that somebody else, or the same person again, can sign in. */
async function leave(
  { runtime }: ConsentParts,
  pending: Pending,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (request.caller.session) {
    const { meta } = await callOperation(runtime, logout, request.caller, {})
    if (meta) applySession(reply, meta)
  }
  return signInFirst(pending, reply)
}

const isSignedIn = ({ caller }: FastifyRequest) => caller.session?.state === 'full'

/** Whichever way somebody signs in, they come back to the page. */
function signInFirst({ uid }: Pending, reply: FastifyReply): FastifyReply {
  const path = `/authorize/${uid}`
  keepReturn(reply, path)
  return reply.redirect(`/sign-in?next=${encodeURIComponent(path)}`, 303)
}

function nameOf({ clientName = '', clientId }: { clientName?: string | undefined; clientId: string }) {
  if (!isBlank(clientName)) return plainName(clientName).trim()
  return URL.canParse(clientId) ? new URL(clientId).host : 'An app without a name'
}

const send = (reply: FastifyReply, { html, headers }: Page, status: number) =>
  reply.code(status).headers(headers).type('text/html; charset=utf-8').send(html)
