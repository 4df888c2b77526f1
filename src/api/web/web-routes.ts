import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MAX_CODINGS } from '#src/api/http/content-coding.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { readCookie, SESSION_COOKIE } from '#src/api/http/session-cookie.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import { pageWithFirst } from '#src/api/web/first-parts.ts'
import { APP_MANIFEST, ICON_SVG, iconPng } from '#src/api/web/installable.ts'
import { OFFLINE_HEADERS, OFFLINE_PAGE, OFFLINE_WORKER, WORKER_HEADERS } from '#src/api/web/offline.ts'
import { failurePage } from '#src/api/web/pages.ts'
import type { WebApp } from '#src/api/web/web-app.ts'
import type { Encoding } from '#src/api/web/web-cache.ts'
import { TYPES } from '#src/api/web/web-files.ts'
import { ServiceError } from '#src/domain/errors.ts'

/** What the application may load and run: what this host serves, and no page of another one. */
const APP_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify ProseMirrorClipboard facet-worker",
  'cross-origin-opener-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
} as const

/** The cage of a component that the assistant made: it may draw, and reach nobody. */
const frameHeaders = (importMapHash: string) => ({
  'content-security-policy': `default-src 'none'; script-src 'self' blob: 'sha256-${importMapHash}'; style-src 'self' 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src 'none'; worker-src 'none'; child-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts`,
  'x-dns-prefetch-control': 'off',
})

/** What the addresses of the application begin with; `web/routes.ts` says which page each one shows. */
const APP_SEGMENTS = new Set([
  'sign-in',
  'register',
  'items',
  'new',
  'tags',
  'views',
  'trash',
  'history',
  'proposals',
  'notifications',
  'chat',
  'assistant',
  'import',
  'settings',
  'invite',
  'reset',
  'authorize',
])
/** Their paths are no pages, whoever asks. */
const SERVICE_SEGMENTS = new Set(['api', 'docs', 'assets', 'frame', 'metrics', 'mcp', 'oauth', '.well-known'])
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** The pages of the application and what they load. */
export function webRoutes(app: FastifyInstance, parts: ServerParts): void {
  const { web } = parts
  registerRoutes(app, parts, unlistedRoutes.web, {
    'GET /': (_, reply) => sendApp(web, reply, '/', 200),
    'GET /assets/*': async (request, reply) => sendFile(web, request, reply),
    'GET /frame': async (_, reply) => {
      const { manifest } = await web.servedFresh()
      return sendHtml(reply.headers(frameHeaders(manifest.import_map_hash)), manifest.frame)
    },
    // The frame has no origin of its own, so its scripts come from elsewhere to it, and without cookies.
    'GET /frame/*': async (request, reply) => {
      void reply.header('access-control-allow-origin', '*')
      return sendFile(web, request, reply)
    },
    'GET /manifest.webmanifest': async (_, reply) =>
      sendFixed(reply, 'application/manifest+json', APP_MANIFEST),
    'GET /icon.svg': async (_, reply) => sendFixed(reply, 'image/svg+xml', ICON_SVG),
    'GET /icon-180.png': async (_, reply) => sendFixed(reply, 'image/png', iconPng(180)),
    'GET /icon-192.png': async (_, reply) => sendFixed(reply, 'image/png', iconPng(192)),
    'GET /offline': async (_, reply) => sendHtml(reply.headers(OFFLINE_HEADERS), OFFLINE_PAGE),
    'GET /offline.js': async (_, reply) =>
      reply.type('text/javascript; charset=utf-8').headers(WORKER_HEADERS).send(OFFLINE_WORKER),
  })
}

/** What another version may change: their names are known to whoever has installed the application. */
const sendFixed = (reply: FastifyReply, type: string, contents: string | Buffer) =>
  reply.type(type).header('cache-control', 'public, max-age=86400').send(contents)

/**
 * Whether a browser asks for a page where the service has no route: what the application shows there then, or says that
 * there is nothing. Anyone who asks for anything but HTML gets the error as JSON.
 */
export function isPageRequest({ method, headers }: FastifyRequest, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (!headers.accept?.includes('text/html')) return false
  return !SERVICE_SEGMENTS.has(firstSegment(path))
}

/** The application, at an address that is not `/`. */
export const sendPage = (
  web: WebApp,
  reply: FastifyReply,
  path: string,
  status = APP_SEGMENTS.has(firstSegment(path)) ? 200 : 404,
): Promise<FastifyReply> => sendApp(web, reply, path, status)

const firstSegment = (path: string) => path.split('/')[1] ?? ''

async function sendApp(
  web: WebApp,
  reply: FastifyReply,
  path: string,
  status: number,
): Promise<FastifyReply> {
  try {
    const { manifest } = await web.servedFresh()
    const hasSession = readCookie(reply.request.headers.cookie, SESSION_COOKIE) !== undefined
    const page = pageWithFirst(manifest, path, hasSession)
    return await sendHtml(reply.code(status).headers(APP_HEADERS), page)
  } catch (error) {
    reply.log.error({ err: error }, 'the web application could not be built')
    return sendHtml(reply.code(503).headers(APP_HEADERS), failurePage((error as Error).message))
  }
}

const sendHtml = (reply: FastifyReply, html: string) => reply.type('text/html; charset=utf-8').send(html)

async function sendFile(web: WebApp, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const name = request.raw.url!.replace(/^\/|[?#].*$/gs, '')
  const type = TYPES[name.split('.').at(-1)!]
  const encoding = type?.startsWith('font/') ? 'identity' : acceptedEncoding(request)
  const contents = type && (await (await web.served()).read(name, encoding))
  if (!contents) throw new ServiceError('NotFound', `There is no file '/${name}'`)
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.type(type).header('cache-control', IMMUTABLE).header('vary', 'accept-encoding').send(contents)
}

/** RFC 9110 §12.5.3, as browsers write it. */
function acceptedEncoding({ headers }: FastifyRequest): Encoding {
  const accepted = (headers['accept-encoding'] ?? '')
    .split(',', MAX_CODINGS)
    .filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
    .map((each) => each.split(';')[0]!.trim())
  if (accepted.includes('br')) return 'br'
  return accepted.includes('gzip') ? 'gzip' : 'identity'
}
