import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { PAGE_POLICY } from '#src/api/http/security-headers.ts'
import { ServiceError } from '#src/domain/errors.ts'

const DOCS = new URL('../../../docs/', import.meta.url)
/** Without dots but the last: nothing outside the folder can be named. */
const DOCUMENT = /^[\w-]+(?:\/[\w-]+)*\.md$/

const LINKS = [
  ['/api/swagger-ui/', 'Explorer', 'try every route'],
  ['/api/openapi.json', 'OpenAPI', 'the same for machines'],
  ['/docs/tutorial.md', 'Tutorial', 'a first session'],
  ['/docs/reference/operations.md', 'Operations', 'all that Facet can do'],
  ['/docs/reference/http.md', 'HTTP', 'errors, paging, streams, headers'],
  ['/docs/reference/configuration.md', 'Configuration', 'the environment variables'],
]

/** What stands at `/`: says what this is and where to go on. */
export function homeRoutes(app: FastifyInstance): void {
  app.get('/', ({ query }, reply) => {
    const { auth_error } = query as { auth_error?: string }
    // A provider's code is of these characters; anything else is not repeated.
    const error = typeof auth_error === 'string' && /^\w{1,64}$/.test(auth_error) ? auth_error : undefined
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .send(page(error))
  })
  app.get('/docs/*', async (request, reply) => {
    const { '*': path = '' } = request.params as Record<string, string>
    const text = DOCUMENT.test(path) ? await readFile(new URL(path, DOCS), 'utf8').catch(() => null) : null
    if (text === null) throw new ServiceError('NotFound', `There is no document '${path}'`)
    return reply.type('text/plain; charset=utf-8').send(text)
  })
}

const page = (error: string | undefined) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Facet</title>
<style>
:root { color-scheme: light dark }
body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem }
dt { float: left; clear: left; width: 9rem }
dd { margin: 0 0 .4rem 9rem }
</style>
</head>
<body>
<h1>Facet</h1>
${error === undefined ? '' : `<p role="alert">Signing in did not work: ${error}.</p>\n`}<p>A structured knowledge base as a service: items, typed tags, one filter language, bulk changes, an audit log.</p>
<dl>
${LINKS.map(([href, name, what]) => `<dt><a href="${href}">${name}</a></dt><dd>${what}</dd>`).join('\n')}
</dl>
</body>
</html>
`
