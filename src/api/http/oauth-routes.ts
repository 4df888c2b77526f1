import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { sendError } from '#src/api/http/error-response.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { takeReturn } from '#src/api/http/return-path.ts'
import { applySession, readCookie, setCookie } from '#src/api/http/session-cookie.ts'
import type { ProviderName } from '#src/auth/identity-provider.ts'
import { type Caller, NOBODY } from '#src/domain/caller.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { beginProviderLogin } from '#src/operations/account/provider/begin-provider-login.ts'
import { completeProviderLogin } from '#src/operations/account/provider/complete-provider-login.ts'
import { OAUTH_FLOW_LIFE } from '#src/operations/account/provider/provider-steps.ts'
import { callOperation } from '#src/runtime/call.ts'

/**
 * Binds a sign-in to the browser that began it. A form-post callback is a cross-site POST, on which the session's
 * SameSite=Lax cookie does not travel: its binding needs a cookie of its own.
 */
const SAME_SITE: Readonly<Record<ProviderName, string>> = { idp_a: 'Lax', idp_b: 'None' }
const cookieName = (provider: ProviderName) => `__Host-oauth-${provider}`

const FORM = 'application/x-www-form-urlencoded'

/** The redirects to identity providers and back: the one part of signing in that is no JSON. */
export function oauthRoutes(app: FastifyInstance, parts: ServerParts): void {
  // A HEAD would begin a sign-in, or use one up.
  const once = (handler: RouteHandlerMethod) => ({ exposeHeadRoute: false, handler })
  const toProvider = (provider: ProviderName) =>
    once((request, reply) => orRedirect(request, reply, () => begin(parts, provider, request, reply)))
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_, body, done) =>
      done(null, new URLSearchParams(body as string)),
    )
    registerRoutes(scope, parts, describedRoutes.providers, {
      'GET /api/auth/oauth/idp_a': toProvider('idp_a'),
      'GET /api/auth/oauth/idp_b': toProvider('idp_b'),
      'GET /api/auth/oauth/idp_a/callback': once((request, reply) => {
        const { searchParams } = new URL(request.raw.url ?? '', 'http://localhost')
        return orRedirect(request, reply, () => complete(parts, 'idp_a', searchParams, request, reply))
      }),
      'POST /api/auth/oauth/idp_b/callback': {
        config: { crossSite: true },
        handler(request, reply) {
          const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
          return orRedirect(request, reply, () => complete(parts, 'idp_b', form, request, reply))
        },
      },
    })
  })
}

async function begin(
  { runtime }: ServerParts,
  provider: ProviderName,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const input = { provider, browser: browserSecret(request, provider) }
  const { json } = await callOperation(runtime, beginProviderLogin, linkingCaller(request), input)
  const { url, browser } = JSON.parse(json) as { url: string; browser: string }
  keepBrowserSecret(reply, provider, browser, OAUTH_FLOW_LIFE / 1000)
  return reply.redirect(url, 302)
}

/**
 * Anyone who is signed in links. A page of another site that sends a browser here does not: it may have signed the browser
 * in at the provider as somebody who would then share the account. What it begins is a sign-in like a stranger's.
 */
const linkingCaller = ({ caller, headers }: FastifyRequest): Caller =>
  headers['sec-fetch-site'] === 'cross-site'
    ? { ...NOBODY, address: caller.address, user_agent: caller.user_agent }
    : caller

async function complete(
  { runtime }: ServerParts,
  provider: ProviderName,
  answer: URLSearchParams,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const parameter = (name: string) => {
    const values = answer.getAll(name)
    return values.length === 1 ? values[0]! : null // RFC 6749 §3.1: none may come twice
  }
  const { json: _, meta } = await callOperation(runtime, completeProviderLogin, request.caller, {
    provider,
    browser: browserSecret(request, provider),
    state: parameter('state'),
    code: parameter('code'),
    iss: parameter('iss'),
    error: parameter('error'),
  })
  keepBrowserSecret(reply, provider, '', 0)
  if (meta) applySession(reply, meta)
  return reply.redirect(takeReturn(request, reply), 302)
}

function browserSecret(request: FastifyRequest, provider: ProviderName): string | null {
  const secret = readCookie(request.headers.cookie, cookieName(provider))
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : null
}

function keepBrowserSecret(reply: FastifyReply, provider: ProviderName, secret: string, max_age: number) {
  const attributes = `Max-Age=${max_age}; Path=/; HttpOnly; Secure; SameSite=${SAME_SITE[provider]}`
  setCookie(reply, `${cookieName(provider)}=${secret}; ${attributes}`)
}

/** A browser is sent home with the name of what failed; anybody else gets the error. */
async function orRedirect(
  request: FastifyRequest,
  reply: FastifyReply,
  run: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await run()
  } catch (error) {
    const isBrowser = request.headers.accept?.includes('text/html') ?? false
    const known = error instanceof ServiceError ? error : undefined
    const { auth_error = isBrowser ? unnamed(known) : undefined, reason } = known?.details ?? {}
    if (typeof auth_error !== 'string') throw error
    request.log.warn({ auth_error, reason }, 'a sign-in with a provider failed')
    if (!known) request.log.error({ err: error }, 'unexpected error')
    const refused = auth_error === 'provider_error'
    if (!refused && !isBrowser) return sendError(request, reply, error)
    // RFC 6749 §4.1.2.1: what the provider calls its error; other text is not passed on.
    const shown = refused && /^[a-z_]{1,50}$/.test(String(reason)) ? String(reason) : auth_error
    return reply.redirect(`/?auth_error=${shown}`, 302)
  }
}

/** What has no name of its own is the service's: too much to do, or a bug. That there is no such provider is 404 for all. */
const unnamed = (error: ServiceError | undefined): string | undefined =>
  error?.code === 'NotFound' ? undefined : 'service_failed'
