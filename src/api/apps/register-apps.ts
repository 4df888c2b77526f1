import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AuthorizationServer, makeAuthorizationServer } from '#src/api/apps/authorization-server.ts'
import { consentRoutes } from '#src/api/apps/consent-routes.ts'
import { resourceMetadata } from '#src/api/apps/discovery.ts'
import { publicBody } from '#src/api/http/public-body.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { NOBODY } from '#src/domain/caller.ts'
import { checkRegistrations } from '#src/operations/account/app/steps/check-registrations.ts'
import { runOperation } from '#src/operations/call.ts'

const RESOURCE = '/.well-known/oauth-protected-resource'
const SERVER = '/.well-known/oauth-authorization-server'

/** How apps ask for access: Facet as the authorization server of its own MCP server (additions §3). */
export function registerApps(app: FastifyInstance, parts: ServerParts): void {
  let made: Promise<AuthorizationServer> | undefined
  // Loaded when first used: most services start without an app that asks.
  const server = () =>
    (made ??= makeAuthorizationServer(parts.facet, (err) =>
      app.log.error({ err }, 'unexpected error of the authorization server'),
    ))
  for (const path of [RESOURCE, `${RESOURCE}/api/mcp`])
    app.get(path, (_, reply) =>
      reply.header('access-control-allow-origin', '*').send(resourceMetadata(parts.config)),
    )
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
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { serve: answer } = await server()
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await answer(request.raw, reply.raw, request.ip)
  }
  // No cookie means anything to these, so that other sites may send to them.
  const open = { ...publicBody(parts), config: { crossSite: true } }
  for (const url of ['/oauth/token', '/oauth/revoke']) {
    app.post(url, open, serve)
    app.options(url, serve)
  }
  app.options('/oauth/register', async ({ headers }, reply) => {
    void reply.header('access-control-allow-origin', '*').header('access-control-allow-methods', 'POST')
    const wanted = headers['access-control-request-headers']
    if (wanted) void reply.header('access-control-allow-headers', wanted)
    return reply.header('access-control-max-age', '3600').code(204).send()
  })
  app.post('/oauth/register', open, async (request, reply) => {
    void reply.header('access-control-allow-origin', '*')
    await runOperation(parts.facet, checkRegistrations, { ...NOBODY, address: request.ip }, {})
    await serve(request, reply)
  })
  const once = { exposeHeadRoute: false }
  app.get(SERVER, once, serve)
  app.options(SERVER, serve)
  app.get('/oauth/authorize', once, async (request, reply) => {
    request.raw.url = withScopes(request.raw.url!)
    await serve(request, reply)
  })
  app.get('/oauth/authorize/:uid', once, serve)
}

/** Write includes read; who asks for nothing asks for both. What is of OpenID Connect is not offered. */
function withScopes(url: string): string {
  const at = url.indexOf('?')
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
  if (query.getAll('scope').length > 1) return url
  const asked = new Set((query.get('scope') ?? '').split(' ').filter((each) => each && each !== 'openid'))
  if (!asked.size || asked.has('write')) asked.add('read').add('write')
  query.set('scope', [...asked].join(' '))
  return `/oauth/authorize?${query.toString()}`
}
