import { readableText } from '#src/domain/readable-text.ts'
import { type HtmlElement, type HtmlNode, htmlTree } from '#src/markdown/html-tree.ts'
import { markdownToHtml } from '#src/markdown/markdown-to-html.ts'

export interface ToMarkdownOptions {
  /** What stands for a link, whole, where it leads to something of ours. */
  link?: (href: string, text: string) => string | undefined
  image?: (src: string) => string | undefined
}

/**
 * Markdown (CommonMark with tables and strikethrough) that reads as the HTML does. What becomes of it is held against
 * it: where a reader would read something else, the text goes without its form.
 */
export function htmlToMarkdown(html: string, options: ToMarkdownOptions = {}): string {
  if (!html.trim()) return ''
  const text = readableText(html)
  const reads = (markdown: string, plain = markdown) =>
    readableText(markdownToHtml(plain).html) === text ? markdown : undefined
  const tree = htmlTree(html)
  if (tree) {
    const whole = new Writer(options).blocks(tree)
    const found = reads(whole, new Writer({}).blocks(tree))
    if (found !== undefined) return found
  }
  return reads(escapedLine(escapedText(text))) ?? fence(text, '')
}

const BLOCK =
  /^(?:address|article|aside|blockquote|body|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|html|legend|li|main|menu|nav|ol|optgroup|option|p|pre|search|section|select|summary|table|caption|tbody|thead|tfoot|tr|td|th|col|colgroup|ul)$/

const isBlock = (node: HtmlNode): node is HtmlElement => 'name' in node && BLOCK.test(node.name)

class Writer {
  private readonly options: ToMarkdownOptions

  constructor(options: ToMarkdownOptions) {
    this.options = options
  }

  blocks(nodes: readonly HtmlNode[]): string {
    const written: string[] = []
    let inline: HtmlNode[] = []
    const flush = () => {
      const text = this.paragraph(inline)
      if (text) written.push(text)
      inline = []
    }
    let before: HtmlElement | undefined
    let other = false
    for (const node of nodes) {
      if (!isBlock(node)) {
        inline.push(node)
        continue
      }
      flush()
      // Two lists next to each other would be one, if they did not look different.
      other = isList(node) && before?.name === node.name ? !other : false
      const text = this.block(node, other)
      if (!text) continue
      written.push(text)
      before = node
    }
    flush()
    return written.join('\n\n')
  }

  private block(element: HtmlElement, other: boolean): string {
    const { name, children } = element
    if (name === 'hr') return '---'
    if (name === 'pre') return this.code(element)
    if (name === 'ul' || name === 'ol' || name === 'menu') return this.list(element, other)
    if (name === 'table') return this.table(element) ?? this.blocks(children)
    const heading = /^h([1-6])$/.exec(name)
    if (heading) {
      const text = this.inlineText(children).replaceAll('\n', ' ').replace(/\\ /g, ' ')
      return text && `${'#'.repeat(Number(heading[1]))} ${text.replace(/#+$/, (signs) => `\\${signs}`)}`
    }
    if (name === 'blockquote') return indented(this.blocks(children), '> ')
    return children.some(isBlock) ? this.blocks(children) : this.paragraph(children)
  }

  private paragraph(nodes: readonly HtmlNode[]): string {
    return this.inlineText(nodes).split('\n').map(escapedLine).join('\n')
  }

  private inlineText(nodes: readonly HtmlNode[]): string {
    const line = this.inlines(nodes)
      .replaceAll(/[ \t]*\\?\n[ \t]*/g, (found) => (found.includes('\\') ? '\\\n' : '\n'))
      .replace(/^(?:[ \t]|\\\n|\n)+/, '')
    return withoutEndingBreaks(line)
  }

  private inlines(nodes: readonly HtmlNode[]): string {
    return nodes.map((node) => this.inline(node)).join('')
  }

  private inline(node: HtmlNode): string {
    if ('text' in node) return escapedText(node.text.replaceAll(/[ \t\r\n\f]+/g, ' '))
    const { name, attributes, children } = node
    if (name === 'br') return '\\\n'
    if (name === 'img') return this.image(attributes)
    if (name === 'code' || name === 'kbd' || name === 'samp' || name === 'tt')
      return inlineCode(textOf(children))
    const inner = BLOCK.test(name) ? ` ${this.inlines(children)} ` : this.inlines(children)
    if (name === 'a' && attributes['href'] !== undefined) return this.link(attributes['href'], inner)
    const sign = SIGNS[name]
    return sign ? emphasized(inner, sign) : inner
  }

  private link(href: string, inner: string): string {
    const [, before = '', text = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(inner) ?? []
    if (!text) return inner
    const own = this.options.link?.(href, text)
    return `${before}${own ?? `[${text}](${destination(href)})`}${after}`
  }

  private image({ src = '', alt = '' }: Readonly<Record<string, string>>): string {
    if (!src || src.startsWith('data:')) return ''
    return this.options.image?.(src) ?? `![${escapedText(alt.replaceAll(/\s+/g, ' '))}](${destination(src)})`
  }

  private code({ children }: HtmlElement): string {
    const [only, ...others] = children.filter((node) => !('text' in node) || node.text.trim())
    const isCode = only && 'name' in only && only.name === 'code' && !others.length
    const language = /language-([\w+#.-]+)/.exec(isCode ? (only.attributes['class'] ?? '') : '')?.[1] ?? ''
    return fence(textOf(children).replace(/\n$/, ''), language)
  }

  private list({ name, attributes, children }: HtmlElement, other: boolean): string {
    const start = Math.min(Math.max(Number.parseInt(attributes['start'] ?? '1', 10) || 0, 0), 1e8)
    const items = children.filter((node) => 'name' in node || node.text.trim())
    return items
      .map((item, i) => {
        const sign = name === 'ol' ? `${start + i}${other ? ')' : '.'} ` : other ? '* ' : '- '
        const text = this.blocks('name' in item && item.name === 'li' ? item.children : [item])
        return `${sign}${indented(text, ' '.repeat(sign.length)).slice(sign.length)}`.trimEnd()
      })
      .join('\n')
  }

  /** Undefined where a cell holds more than a line. */
  private table(table: HtmlElement): string | undefined {
    const rows = rowsOf(table)
    const cells = rows.map(({ children }) => children.filter((cell): cell is HtmlElement => 'name' in cell))
    const width = Math.max(...cells.map(({ length }) => length), 0)
    const isPlain = (nodes: readonly HtmlNode[]): boolean =>
      nodes.every((node) => 'text' in node || (!BLOCK.test(node.name) && isPlain(node.children)))
    const hasOther = table.children.some((each) => 'name' in each && each.name === 'caption')
    // Short rows are filled up: one long row among many would become far more than was written.
    const isTooWide = width * rows.length > MAX_CELLS
    if (
      !width ||
      hasOther ||
      isTooWide ||
      !cells.flat().every(({ children }) => isPlain(onlyParagraph(children)))
    )
      return undefined
    const lines = cells.map((row) => {
      const texts = Array.from({ length: width }, (_, i) => this.cell(row[i]))
      return `| ${texts.join(' | ')} |`
    })
    lines.splice(1, 0, `|${' --- |'.repeat(width)}`)
    return lines.join('\n')
  }

  private cell(cell: HtmlElement | undefined): string {
    if (!cell) return ''
    const text = this.inlineText(onlyParagraph(cell.children))
    return text.replaceAll(/\\?\n/g, ' ').replaceAll('|', '\\|')
  }
}

const SIGNS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  s: '~~',
  del: '~~',
  strike: '~~',
}

/** Of a table as Markdown, those that fill up its rows too. */
const MAX_CELLS = 50_000

const isList = ({ name }: HtmlElement) => name === 'ul' || name === 'ol'

function rowsOf(table: HtmlElement): HtmlElement[] {
  const rows: HtmlElement[] = []
  for (const child of table.children)
    if (!('name' in child)) continue
    else if (child.name === 'tr') rows.push(child)
    else rows.push(...child.children.filter((row): row is HtmlElement => 'name' in row && row.name === 'tr'))
  return rows
}

function onlyParagraph(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  const real = nodes.filter((node) => 'name' in node || node.text.trim())
  const [only] = real
  return real.length === 1 && only && 'name' in only && only.name === 'p' ? only.children : nodes
}

const textOf = (nodes: readonly HtmlNode[]): string =>
  nodes
    .map((node) => ('text' in node ? node.text : node.name === 'br' ? '\n' : textOf(node.children)))
    .join('')

/** Blanks at an end go outside; around what does not begin and end with a letter signs may be no signs. */
function emphasized(inner: string, sign: string): string {
  const [, before = '', text = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(inner) ?? []
  return text && !text.includes('\\\n') ? `${before}${sign}${text}${sign}${after}` : inner
}

const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)

function inlineCode(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  if (!line.trim()) return line
  const signs = '`'.repeat(longestTicks(line) + 1)
  const gap = /^`|`$|^ .* $/.test(line) ? ' ' : ''
  return `${signs}${gap}${line}${gap}${signs}`
}

function fence(text: string, language: string): string {
  const signs = '`'.repeat(Math.max(2, longestTicks(text)) + 1)
  return `${signs}${language}\n${text}\n${signs}`
}

const destination = (href: string): string =>
  /^[^\s()<>\\]+$/.test(href)
    ? href
    : `<${href.replaceAll(/\s/g, (blank) => encodeURIComponent(blank)).replaceAll(/[<>\\]/g, (sign) => `\\${sign}`)}>`

const indented = (text: string, by: string): string =>
  text
    .split('\n')
    .map((line) => (by + line).trimEnd())
    .join('\n')

/** Text whose signs mean themselves within a line. */
const escapedText = (text: string): string =>
  text
    .replaceAll(/[\\`*[\]<~]|&(?=[#\w])|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_|==|%%/gu, (signs) =>
      signs.replaceAll(/./g, '\\$&'),
    )
    .replaceAll(/(?<![\p{L}\p{N}])#(?=[\p{L}\p{N}_])/gu, '\\#')

/** A line whose beginning means nothing: no heading, list, quote, rule or table. */
const escapedLine = (line: string): string =>
  line
    .replace(/^(?:[-+>|]|#{1,6}(?=\s|$)|=+\s*$|:(?=[-|]))/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** By hand: an expression looks at a long run of breaks once from each. */
function withoutEndingBreaks(line: string): string {
  let end = line.length
  for (;;) {
    const last = line[end - 1]
    if (last === '\n') end -= line[end - 2] === '\\' ? 2 : 1
    else if (last === ' ' || last === '\t') end--
    else return line.slice(0, end)
  }
}
