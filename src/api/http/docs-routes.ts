import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import { ServiceError } from '#src/domain/errors.ts'

const DOCS = new URL('../../../docs/', import.meta.url)
/** Without dots but the last: nothing outside the folder can be named. */
const DOCUMENT = /^[\w-]+(?:\/[\w-]+)*\.md$/

/** The documents, as text. */
export function docsRoutes(app: FastifyInstance, parts: ServerParts): void {
  registerRoutes(app, parts, unlistedRoutes.documents, {
    'GET /docs/*': async (request, reply) => {
      const { '*': path = '' } = request.params as Record<string, string>
      const text = DOCUMENT.test(path) ? await readFile(new URL(path, DOCS), 'utf8').catch(() => null) : null
      if (text === null) throw new ServiceError('NotFound', `There is no document '${path}'`)
      return reply.type('text/plain; charset=utf-8').send(text)
    },
  })
}
