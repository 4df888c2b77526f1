import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { AnswerBudget } from '#src/api/http/answer-budget.ts'
import { believedHops } from '#src/api/http/believed-hops.ts'
import { BodyBudget } from '#src/api/http/body-budget.ts'
import { answerClientError, refuseExpectation } from '#src/api/http/client-error.ts'
import { compressAnswer } from '#src/api/http/compress-answers.ts'
import { sendTogether } from '#src/api/http/send-together.ts'
import { ConnectionLimit } from '#src/api/http/connection-limit.ts'
import { answerPreflight, corsHeaders } from '#src/api/http/cors.ts'
import { crossSiteCheck } from '#src/api/http/cross-site.ts'
import { docsRoutes } from '#src/api/http/docs-routes.ts'
import { pathOf, sendError } from '#src/api/http/error-response.ts'
import { explorerRoutes } from '#src/api/http/explorer-routes.ts'
import { AnswerLog, logOptions } from '#src/api/http/log.ts'
import { BODY_PACE } from '#src/api/http/metered-body.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { operationRoutes, routesOf } from '#src/api/http/operation-routes.ts'
import { parseQuery } from '#src/api/http/parse-query.ts'
import { MAX_PUBLIC_KEYS } from '#src/api/http/public-body.ts'
import { readBodies } from '#src/api/http/read-body.ts'
import { requestId, securityHeaders, warnOfUnknownProxy } from '#src/api/http/request-hooks.ts'
import { requestLog } from '#src/api/http/request-log.ts'
import { requestMetrics } from '#src/api/http/request-metrics.ts'
import { RouteTable } from '#src/api/http/route-table.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { serviceRoutes } from '#src/api/http/service-routes.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import { isPageRequest, sendPage, webRoutes } from '#src/api/web/web-routes.ts'
import { isLoopback } from '#src/auth/client-address.ts'
import type { Config } from '#src/config/config.ts'
import { badRequest } from '#src/domain/errors.ts'
import { shuttingDown } from '#src/engine/ended.ts'
import type { Operation } from '#src/runtime/operation.ts'

/** Milliseconds in which a proxy uses up the connections that it holds. */
const LAST_REQUESTS = 500

/**
 * Takes no new connections and, for a moment, one more request on each that is there: a proxy keeps connections, and
 * may just be sending on one that would be closed. It goes elsewhere only where it cannot connect.
 */
async function drainConnections(app: FastifyInstance): Promise<void> {
  const { server } = app
  // As all servers of node:net; that of node:http would close idle connections as well.
  Server.prototype.close.call(server)
  // Fastify is to close it yet, which is no error for having been begun.
  const { close } = server
  server.close = (done) => close.call(server, () => done?.())
  await pause(LAST_REQUESTS)
}

/** A path parameter may have 2,000 characters, which escapes make longer. */
const MAX_PARAMETER = 6000
/** Bytes of request line and headers; a missing Host is answered by us, with the error body. */
const NODE_OPTIONS = { maxHeaderSize: 64 * 1024, requireHostHeader: false }
/** Milliseconds for a request to arrive whole, body included; the default of Node. */
const REQUEST_TIMEOUT = 300_000
const KEEP_ALIVE = 72_000
/** Characters of answers that nobody has taken yet. */
const MAX_UNREAD = { each: 64_000_000, all: 192_000_000 }
/** Milliseconds that a large body waits for room. */
const BODY_WAIT = 30_000
/** Connections of one address. */
const MAX_PER_ADDRESS = 256

/** The HTTP interface, ready to listen. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { config, json } = parts
  const app = newServer(parts)
  app.server.on('checkExpectation', refuseExpectation)
  connectionLimit(config).watch(app.server)
  const table = new RouteTable(app, knownRoutes(parts.operations))
  app.decorate('routeTable', table)
  app.decorateRequest('caller')
  requestMetrics(app, parts.runtime.services.metrics)
  guard(app, parts, table)
  warnOfUnknownProxy(app, config)
  app.addHook('preParsing', budgetFor(config).hook)
  app.addHook('onSend', new AnswerBudget(MAX_UNREAD).hook)
  app.addHook('onSend', compressAnswer)
  app.addHook('onSend', sendTogether())
  readBodies(app, (body, { routeOptions }) =>
    json.parse(body, routeOptions.config.isPublic ? { maxKeys: MAX_PUBLIC_KEYS } : {}, true),
  )
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error))
  serviceRoutes(app, parts)
  webRoutes(app, parts)
  docsRoutes(app, parts)
  explorerRoutes(app, parts)
  operationRoutes(app, parts)
  for (const part of parts.others ?? []) part(app, parts)
  return app
}

/** Without hooks and routes. */
const newServer = ({ config, web }: ServerParts): FastifyInstance =>
  fastify({
    ...(config.tls ? { https: { ...config.tls, ...NODE_OPTIONS } } : { http: NODE_OPTIONS }),
    logger: logOptions(config.log_level),
    logController: new AnswerLog(),
    childLoggerFactory: requestLog,
    genReqId: requestId,
    bodyLimit: config.body_limit,
    trustProxy: believedHops(config.trust_proxy),
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE,
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      beforeAll(config)(request, reply)
      const path = pathOf(request.raw.url ?? '')
      // An address that cannot be read is one where there is nothing, for whoever typed or pasted it.
      if (isPageRequest(request, path)) void sendPage(web, reply, path, 404)
      else sendError(request, reply, error)
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: MAX_PARAMETER,
      querystringParser: parseQuery,
    },
  })

/** An account may send one body of the largest size at a time, all accounts together two. */
const budgetFor = ({ body_limit }: Config) =>
  new BodyBudget({ each: body_limit, all: 2 * body_limit, wait: BODY_WAIT, pace: BODY_PACE })

/** Programs of this machine are counted only where the setting says how many. */
function connectionLimit({ max_connections, max_per_address, trust_proxy }: Config): ConnectionLimit {
  const isProxy = believedHops(trust_proxy)
  return new ConnectionLimit({
    all: max_connections,
    each: max_per_address ?? MAX_PER_ADDRESS,
    counts: (address) =>
      !(isProxy && isProxy(address, 0)) && (max_per_address !== null || !isLoopback(address)),
  })
}

/** What every answer carries, whatever it says. */
function beforeAll(config: Config): (request: FastifyRequest, reply: FastifyReply) => void {
  const cors = corsHeaders(config)
  return (request, reply) => {
    securityHeaders(request, reply)
    void reply.header('x-request-id', request.id)
    cors(request, reply)
  }
}

/** RFC 9112, section 3.2. */
function checkHost({ raw: { headers, httpVersion } }: FastifyRequest): void {
  if (headers.host === undefined && httpVersion !== '1.0') throw badRequest('The header Host is missing')
}

/** What comes before any route, in this order. */
function guard(app: FastifyInstance, { config, web }: ServerParts, table: RouteTable): void {
  const headers = beforeAll(config)
  const checkSite = crossSiteCheck(config)
  let closing = false
  app.addHook('preClose', async () => {
    if (config.trust_proxy) await drainConnections(app)
    closing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    try {
      headers(request, reply)
      if (closing) throw shuttingDown()
      checkHost(request)
      checkSite(request)
      if (!request.is404) return done()
      const path = pathOf(request.raw.url ?? '')
      const methods = table.methodsOf(path)
      if (!methods.length && isPageRequest(request, path)) return void sendPage(web, reply, path)
      if (request.method !== 'OPTIONS' || !methods.length) throw table.refusal(request.method, path)
      answerPreflight(request, reply, methods)
      void reply.code(204).header('allow', methods.join(', ')).send()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) void reply.header('connection', 'close')
    done(null, payload)
  })
}

/** Method and path of every route there is: those of the operations and those of the two tables. */
const knownRoutes = (operations: readonly Operation[]): string[] => [
  ...operations.flatMap(routesOf).map(({ method, path }) => `${method} ${path}`),
  ...[describedRoutes, unlistedRoutes].flatMap((table) => Object.values(table).flatMap(Object.keys)),
]
