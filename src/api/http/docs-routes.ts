import { readdir, readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { compressedOnce } from '#src/api/http/compress-answers.ts'
import { PAGE_POLICY } from '#src/api/http/document-style.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import { ServiceError } from '#src/domain/errors.ts'

const DOCS = new URL('../../../docs/', import.meta.url)
/** Without dots but the last: nothing outside the folder can be named. */
const DOCUMENT = /^[\w-]+(?:\/[\w-]+)*\.md$/

/** Of the folder of pictures alone, by the same rule. */
const PICTURE = /^pictures\/[\w-]+\.png$/

interface Document {
  /** `/docs/how-to/use-a-key.md` */
  path: string
  title: string
}

/** Every document with its title, by folder; the tutorial first. */
async function listDocuments(): Promise<Document[]> {
  const names = await readdir(DOCS, { recursive: true })
  const paths = names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((path) => DOCUMENT.test(path))
    .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
  return Promise.all(
    paths.map(async (path) => {
      const [, title = path] = /^# (.+)$/m.exec(await readFile(new URL(path, DOCS), 'utf8')) ?? []
      return { path: `/docs/${path}`, title }
    }),
  )
}

const TITLE = '# The documents of Facet'
const listed = (documents: readonly Document[]) =>
  `${TITLE}\n\n${documents.map(({ path, title }) => `${path}  ${title}`).join('\n')}\n`

/** What somebody new reads first. */
const FOLDERS = [
  ['', 'Begin'],
  ['how-to/', 'How to'],
  ['explanation/', 'Explained'],
  ['reference/', 'Reference'],
  ['spec/', 'The contract'],
  ['decisions/', 'Decisions'],
] as const

/** The same as Markdown, for a page. */
function contentsOf(documents: readonly Document[]): string {
  const parts = FOLDERS.map(([folder, heading]) => {
    const own = documents.filter(
      ({ path }) => path.startsWith(`/docs/${folder}`) && (folder || path.split('/').length === 3),
    )
    return `## ${heading}\n\n${own.map(({ path, title }) => `- [${title}](${path})`).join('\n')}`
  })
  return `${TITLE}\n\n${parts.join('\n\n')}\n`
}

const varyBy = (reply: FastifyReply) => [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', ')

/** Each as text and as a page, made once. */
class Documents {
  private readonly answers = new Map<string, Buffer>()
  private list: Promise<Document[]> | undefined

  /** null: there is none. */
  async answer(path: string, isPage: boolean): Promise<Buffer | null> {
    const key = `${isPage} ${path}`
    const known = this.answers.get(key)
    if (known) return known
    const text = await this.read(path)
    if (text === null) return null
    const answer = Buffer.from(isPage ? await this.page(path, text) : text)
    this.answers.set(key, compressedOnce(answer))
    return answer
  }

  /** null: there is none. */
  async picture(path: string): Promise<Buffer | null> {
    return PICTURE.test(path) ? readFile(new URL(path, DOCS)).catch(() => null) : null
  }

  private async read(path: string): Promise<string | null> {
    if (path === '') return listed(await this.all())
    return DOCUMENT.test(path) ? readFile(new URL(path, DOCS), 'utf8').catch(() => null) : null
  }

  private async page(path: string, text: string): Promise<string> {
    const { documentPage } = await import('#src/api/http/document-page.ts')
    const all = await this.all()
    const known = new Set(all.map((each) => each.path))
    return documentPage(path === '' ? contentsOf(all) : text, { path: `/docs/${path}`, known })
  }

  private all(): Promise<Document[]> {
    return (this.list ??= listDocuments())
  }
}

/** The documents, as text and to browsers as pages, and their pictures. */
export function docsRoutes(app: FastifyInstance, parts: ServerParts): void {
  const documents = new Documents()
  async function answer(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    path: string,
  ): Promise<FastifyReply> {
    const picture = await documents.picture(path)
    if (picture) return reply.type('image/png').send(picture)
    const isPage = headers.accept?.includes('text/html') ?? false
    const found = await documents.answer(path, isPage)
    if (found === null) throw new ServiceError('NotFound', `There is no document '${path}'`)
    reply
      .header('vary', varyBy(reply))
      .type(isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8')
    if (isPage) reply.header('content-security-policy', PAGE_POLICY)
    return reply.send(found)
  }
  registerRoutes(app, parts, unlistedRoutes.documents, {
    'GET /docs': (request, reply) => answer(request, reply, ''),
    'GET /docs/*': (request, reply) =>
      answer(request, reply, (request.params as Record<string, string>)['*'] ?? ''),
  })
}
