import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { endWithSession, sendFile } from '#src/api/files/send-file.ts'
import { takeBytes, withUploadedBody } from '#src/api/files/uploaded-body.ts'
import { pathOf, sendError, STATUS } from '#src/api/http/error-response.ts'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { type Query, queryFaults } from '#src/api/http/parse-query.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import { sendPage } from '#src/api/web/web-routes.ts'
import { type ErrorCode, invalid, type Problem, ServiceError } from '#src/domain/errors.ts'
import { openFile } from '#src/operations/files/open-file.ts'
import { storeFile } from '#src/operations/files/store-file.ts'

/** Files as they are sent and fetched (further §14). Their bodies are streams of bytes, so they are no operations. */
export function registerFiles(app: FastifyInstance, parts: ServerParts): void {
  const { runtime } = parts
  const upload: RouteHandlerMethod = async (request, reply) => {
    const name = nameOf(request)
    const stored = await withUploadedBody(request, (content, length) =>
      storeFile(runtime, request.caller, { name, content, length }),
    )
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(stored))
  }
  const download: RouteHandlerMethod = async (request, reply) => {
    const { file_id } = request.params as { file_id: string }
    const file = await openFile(runtime, request.caller, file_id)
    endWithSession(runtime.services.sessions, request.caller, reply)
    return sendFile(request, reply, file)
  }
  registerRoutes(app, parts, describedRoutes.files, {
    'GET /api/files/{file_id}': {
      handler: download,
      exposeHeadRoute: false,
      errorHandler: (error, request, reply) => void notShown(parts, { error, request, reply }),
    },
  })
  registerRoutes(app, parts, unlistedRoutes.fileHeads, { 'HEAD /api/files/{file_id}': download })
  void app.register(async (scope) => {
    takeBytes(scope)
    registerRoutes(scope, parts, describedRoutes.uploads, {
      'POST /api/files': { handler: upload, config: { isStreamed: true } },
    })
  })
}

/** What the application has a page for; anything else is said as to everybody. */
const SHOWN: ReadonlySet<ErrorCode> = new Set(['Unauthorized', 'NotFound'])

interface NotShown {
  error: unknown
  request: FastifyRequest
  reply: FastifyReply
}

/** Whoever opens the link to a file in a browser signs in first, or reads in words that it is not there. */
async function notShown({ web }: ServerParts, { error, request, reply }: NotShown): Promise<FastifyReply> {
  const isShown = error instanceof ServiceError && SHOWN.has(error.code)
  if (!isShown || !request.headers.accept?.includes('text/html')) return sendError(request, reply, error)
  return sendPage(web, reply, pathOf(request.raw.url!), STATUS[error.code])
}

/** @throws BadRequest */
function nameOf(request: FastifyRequest): string {
  const query = request.query as Query
  const problems: Problem[] = [...queryFaults(query)]
  for (const each of Object.keys(query))
    if (each !== 'name') problems.push({ path: each, message: 'unknown parameter' })
  const { name } = query
  if (typeof name !== 'string')
    problems.push({ path: 'name', message: name === undefined ? 'is required' : 'must be given once' })
  if (problems.length) throw invalid(problems)
  return name as string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body goes on as a stream: no room is kept for it in memory. */
    isStreamed?: boolean
  }
}
