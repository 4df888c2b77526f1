import { randomUUID } from 'node:crypto'
import { type HtmlNode, htmlTree } from '#src/markdown/html-tree.ts'

/** What a description may show, and which attributes. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'p br hr h1 h2 h3 h4 h5 h6 blockquote pre ul li strong b em i u s del ins mark sub sup small kbd table thead tbody tr details summary dl dt dd figure figcaption'
      .split(' ')
      .map((name) => [name, []]),
  ),
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  code: ['class'],
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
}
const VOID = new Set(['br', 'hr', 'img'])
/** Elements that stand by themselves: what is not allowed of them parts texts all the same. */
const BLOCKS =
  /^(?:address|article|aside|caption|center|dialog|div|fieldset|footer|form|header|hgroup|legend|main|nav|option|search|section)$/
const ADDRESS = /^(?:https?:|mailto:|tel:|\/(?!\/)|#|[^:/?#]*(?:[/?#]|$))/i

/** Before addresses of our own that become `import-row:` and `import-file:`: a stranger's text cannot have it. */
export const INNER = `inner-${randomUUID()}-`

/** Where a link or a picture leads instead. */
export type AddressOf = (address: string) => string

/** HTML of strangers with what a description may show, and nothing that runs. */
export function cleanHtml(html: string, addressOf: AddressOf = (address) => address): string {
  if (!html.includes('<') && !html.includes('&')) return html
  const tree = htmlTree(html)
  return (tree ? written(tree, addressOf) : escaped(html)).replaceAll(INNER, 'import-')
}

const written = (nodes: readonly HtmlNode[], addressOf: AddressOf): string =>
  nodes.map((node) => writtenNode(node, addressOf)).join('')

function writtenNode(node: HtmlNode, addressOf: AddressOf): string {
  if ('text' in node) return escaped(node.text)
  const { name, attributes, children } = node
  const inner = written(children, addressOf)
  const allowed = Object.hasOwn(ALLOWED, name) ? ALLOWED[name]! : undefined
  if (!allowed) return BLOCKS.test(name) && inner.trim() ? `<p>${inner}</p>` : inner
  const kept = allowed.flatMap((each) => {
    const given = attributes[each]
    if (given === undefined) return []
    if (each !== 'href' && each !== 'src') return [` ${each}="${escaped(given)}"`]
    const address = given.trim()
    const value = address.startsWith(INNER) ? address : addressOf(address)
    return isAllowed(value) ? [` ${each}="${escaped(value)}"`] : []
  })
  return VOID.has(name) ? `<${name}${kept.join('')}>` : `<${name}${kept.join('')}>${inner}</${name}>`
}

const isAllowed = (address: string): boolean => address.startsWith(INNER) || ADDRESS.test(address)

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]!)
