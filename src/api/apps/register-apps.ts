import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { type AuthorizationServer, makeAuthorizationServer } from '#src/api/apps/authorization-server.ts'
import { consentRoutes } from '#src/api/apps/consent-routes.ts'
import { resourceMetadata } from '#src/api/apps/discovery.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import { reportedAddress } from '#src/auth/client-address.ts'
import { type Caller, NOBODY, SCOPES } from '#src/domain/caller.ts'
import { badRequest } from '#src/domain/errors.ts'
import { checkRegistrations, checkWaiting } from '#src/operations/account/app/app-record-steps.ts'
import { runOperation } from '#src/runtime/call.ts'

/** How apps ask for access: Facet as the authorization server of its own MCP server (additions §3). */
export function registerApps(app: FastifyInstance, parts: ServerParts): void {
  let made: Promise<AuthorizationServer> | undefined
  // Loaded when first used: most services start without an app that asks.
  const server = () =>
    (made ??= makeAuthorizationServer(
      parts.runtime,
      () => parts.web.look(),
      (err) => app.log.error({ err }, 'unexpected error of the authorization server'),
    ))
  const metadata: RouteHandlerMethod = (_, reply) =>
    reply.header('access-control-allow-origin', '*').send(resourceMetadata(parts.config))
  registerRoutes(app, parts, unlistedRoutes.appMetadata, {
    'GET /.well-known/oauth-protected-resource': metadata,
    'GET /.well-known/oauth-protected-resource/api/mcp': metadata,
  })
  void app.register(async (scope) => providerRoutes(scope, parts, server))
  consentRoutes(app, { ...parts, server })
}

/** What the library answers by itself; it reads bodies itself too. */
function providerRoutes(
  app: FastifyInstance,
  parts: ServerParts,
  server: () => Promise<AuthorizationServer>,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_, _payload, done) => done(null))
  const serve: RouteHandlerMethod = async (request, reply) => {
    checkQuery(request.raw.url!)
    const { serve: answer } = await server()
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await answer(request.raw, reply.raw, reportedAddress(request.ip))
  }
  // No cookie means anything to these, so that other sites may send to them.
  const open = (handler: RouteHandlerMethod) => ({ config: { crossSite: true }, handler })
  const once = (handler: RouteHandlerMethod) => ({ exposeHeadRoute: false, handler })
  registerRoutes(app, parts, unlistedRoutes.appServer, {
    'GET /.well-known/oauth-authorization-server': once(serve),
    'OPTIONS /.well-known/oauth-authorization-server': serve,
    'POST /oauth/token': open(serve),
    'OPTIONS /oauth/token': serve,
    'POST /oauth/revoke': open(serve),
    'OPTIONS /oauth/revoke': serve,
    'POST /oauth/register': open(async function (request, reply) {
      void reply.header('access-control-allow-origin', '*')
      await runOperation(parts.runtime, checkRegistrations, strangerOf(request), {})
      await serve.call(this, request, reply)
    }),
    'OPTIONS /oauth/register': allowRegistration,
    'GET /oauth/authorize': once(async function (request, reply) {
      checkQuery(request.raw.url!)
      checkSizes(request.raw.url!)
      await runOperation(parts.runtime, checkWaiting, strangerOf(request), {})
      request.raw.url = asServed(request.raw.url!)
      await serve.call(this, request, reply)
    }),
    'GET /oauth/authorize/{uid}': once(serve),
  })
}

const strangerOf = ({ ip }: FastifyRequest): Caller => ({ ...NOBODY, address: reportedAddress(ip) })

/** More than any request of an app has. */
const MAX_PARAMETERS = 100

/** The library's reader of queries looks through all parameters for each of them. */
function checkQuery(url: string): void {
  if (url.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
    throw badRequest(`A query of an app has at most ${MAX_PARAMETERS} parameters`)
}

/** Characters of all parameters, and of `state` alone, which waits with them for a person. */
const MAX_QUERY = 8 * 1024
const MAX_STATE = 2 * 1024

function checkSizes(url: string): void {
  const query = url.slice(url.indexOf('?') + 1)
  if (query.length > MAX_QUERY)
    throw badRequest(
      `The parameters of a request for access have at most ${MAX_QUERY} characters, got ${query.length}`,
    )
  const longest = Math.max(0, ...new URLSearchParams(query).getAll('state').map(({ length }) => length))
  if (longest > MAX_STATE) throw badRequest(`'state' has at most ${MAX_STATE} characters, got ${longest}`)
}

/** Other sites ask first whether they may. */
const allowRegistration: RouteHandlerMethod = async ({ headers }, reply) => {
  void reply.header('access-control-allow-origin', '*').header('access-control-allow-methods', 'POST')
  const wanted = headers['access-control-request-headers']
  if (wanted) void reply.header('access-control-allow-headers', wanted)
  return reply.header('access-control-max-age', '3600').code(204).send()
}

/** A request for access as the library is to read it. */
function asServed(url: string): string {
  const at = url.indexOf('?')
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
  // It refuses what is given twice.
  if (['scope', 'prompt', 'response_type', 'response_mode'].some((name) => query.getAll(name).length > 1))
    return url
  putScopes(query)
  putPrompt(query)
  putResponseType(query)
  return `/oauth/authorize?${query.toString()}`
}

/** Write includes the others, propose read; a client that asks for nothing asks for all. What is of OpenID Connect is not offered. */
function putScopes(query: URLSearchParams): void {
  const asked = new Set((query.get('scope') ?? '').split(' ').filter((each) => each && each !== 'openid'))
  if (!asked.size || asked.has('write')) for (const each of SCOPES) asked.add(each)
  if (asked.has('propose')) asked.add('read')
  query.set('scope', [...asked].join(' '))
}

/** The library grants `offline_access` only to who wants somebody asked, and refuses it in a refresh then. Here each request asks. */
function putPrompt(query: URLSearchParams): void {
  const prompts = (query.get('prompt') ?? '').split(' ').filter(Boolean)
  const lacks = !prompts.includes('none') && !prompts.includes('consent')
  if (lacks && query.get('scope')?.split(' ').includes('offline_access'))
    query.set('prompt', [...prompts, 'consent'].join(' '))
}

/** No type but `code` is known (OAuth 2.1 §4.1.2.1). Of others the library would name the way in which they would be answered. */
function putResponseType(query: URLSearchParams): void {
  const type = query.get('response_type')
  if (type === 'code') return
  if (type) query.set('response_type', 'none')
  query.set('response_mode', 'query')
}
