import { readdir, readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { compressedOnce } from '#src/api/http/compress-answers.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import { ServiceError } from '#src/domain/errors.ts'

const DOCS = new URL('../../../docs/', import.meta.url)
/** Without dots but the last: nothing outside the folder can be named. */
const DOCUMENT = /^[\w-]+(?:\/[\w-]+)*\.md$/

/** Every document with its title, by folder; the tutorial first. */
async function listOfDocuments(): Promise<Buffer> {
  const names = await readdir(DOCS, { recursive: true })
  const paths = names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((path) => DOCUMENT.test(path))
    .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
  const lines = await Promise.all(
    paths.map(async (path) => {
      const [, title = path] = /^# (.+)$/m.exec(await readFile(new URL(path, DOCS), 'utf8')) ?? []
      return `/docs/${path}  ${title}`
    }),
  )
  return Buffer.from(`# The documents of Facet\n\n${lines.join('\n')}\n`)
}

/** The documents, as text. */
export function docsRoutes(app: FastifyInstance, parts: ServerParts): void {
  const documents = new Map<string, Buffer>()
  /** Those that are there, which are few. */
  async function read(path: string): Promise<Buffer | null> {
    const known = documents.get(path)
    if (known || !DOCUMENT.test(path)) return known ?? null
    const found = await readFile(new URL(path, DOCS)).catch(() => null)
    if (found) documents.set(path, compressedOnce(found))
    return found
  }
  let list: Promise<Buffer> | undefined
  registerRoutes(app, parts, unlistedRoutes.documents, {
    'GET /docs': async (_, reply) =>
      reply.type('text/plain; charset=utf-8').send(await (list ??= listOfDocuments().then(compressedOnce))),
    'GET /docs/*': async (request, reply) => {
      const { '*': path = '' } = request.params as Record<string, string>
      const text = await read(path)
      if (text === null) throw new ServiceError('NotFound', `There is no document '${path}'`)
      return reply.type('text/plain; charset=utf-8').send(text)
    },
  })
}
