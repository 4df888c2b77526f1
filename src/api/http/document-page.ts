import MarkdownIt from 'markdown-it'
import { DOCUMENT_STYLE } from '#src/api/http/document-style.ts'

/** Where the page is, and what is there: links that lead elsewhere in the repository are text. */
interface Place {
  path: string
  known: ReadonlySet<string>
}

const COMMENT = /<!--[^]*?-->/g
const SITE = 'http://site.invalid'
const parser = new MarkdownIt({ html: false })
const { rules } = parser.renderer
const placeOf = (env: unknown) => env as Place & { open: boolean[] }

rules.link_open = (tokens, i, options, env, self) => {
  const token = tokens[i]!
  const href = addressOf(String(token.attrGet('href')), placeOf(env))
  placeOf(env).open.push(href !== null)
  if (href === null) return ''
  token.attrSet('href', href)
  return self.renderToken(tokens, i, options)
}
rules.link_close = (_tokens, _i, _options, env) => (placeOf(env).open.pop() ? '</a>' : '')
rules.table_open = () => '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>'
rules.table_close = () => '</table></div>'
rules.fence = rules.code_block = (tokens, i) =>
  `<pre tabindex="0"><code>${parser.utils.escapeHtml(tokens[i]!.content)}</code></pre>`
rules.heading_open = (tokens, i, options, _env, self) => {
  tokens[i]!.attrSet('id', anchorOf(tokens[i + 1]!.content))
  return self.renderToken(tokens, i, options)
}

/** Null: it is not served here. */
function addressOf(href: string, { path, known }: Place): string | null {
  const { origin, pathname, hash } = new URL(href, `${SITE}${path}`)
  if (origin !== SITE) return href
  return known.has(pathname) || !pathname.startsWith('/docs/') ? servedAt(pathname, hash) : null
}

/** Of what is outside of the documents, the addresses of the service alone. */
const servedAt = (pathname: string, hash: string) =>
  /\.(?!md$)\w+$|^\/(?:packages|web|src|test|bench|deploy|LICENSE|README|CHANGELOG)/.test(pathname)
    ? null
    : `${pathname}${hash}`

/** As others make anchors of headings: `Where a change goes` → `where-a-change-goes`. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

/** A document as a page for people who read it in a browser. */
export function documentPage(markdown: string, place: Place): string {
  const [, title = 'Documents'] = /^# (.+)$/m.exec(markdown) ?? []
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${parser.utils.escapeHtml(title)} · Facet</title>
<style>${DOCUMENT_STYLE}</style>
</head>
<body>
<header><a href="/">Facet</a> <a href="/docs">Documents</a> <a href="/api/swagger-ui/">Explorer of the API</a></header>
<main>
${parser.render(markdown.replaceAll(COMMENT, ''), { ...place, open: [] })}
</main>
</body>
</html>
`
}
