import { formOf, joined, type Piece, writtenPieces } from '#src/markdown/emphasis.ts'
import type { HtmlElement, HtmlNode } from '#src/markdown/html-tree.ts'
import {
  destination,
  escapedLine,
  escapedText,
  fence,
  indented,
  inlineCode,
  withoutEndingBreaks,
} from '#src/markdown/markdown-signs.ts'

export interface ToMarkdownOptions {
  /** What stands for a link, whole, where it leads to something of ours. */
  link?: (href: string, text: string) => string | undefined
  /** The same of a picture, whose `alt` is Markdown already. */
  image?: (src: string, alt: string) => string | undefined
}

/** How emphases are written: as signs where a reader of Markdown takes them for that, as tags of HTML, or not at all. */
export type Emphases = 'signs' | 'tags' | 'none'

type WritePart = (nodes: readonly HtmlNode[], isOther: boolean) => string

const BLOCK =
  /^(?:address|article|aside|blockquote|body|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|html|legend|li|main|menu|nav|ol|optgroup|option|p|pre|search|section|select|summary|table|caption|tbody|thead|tfoot|tr|td|th|col|colgroup|ul)$/

export const isBlock = (node: HtmlNode): node is HtmlElement => 'name' in node && BLOCK.test(node.name)

export class MarkdownWriter {
  private readonly options: ToMarkdownOptions
  private readonly emphases: Emphases

  constructor(options: ToMarkdownOptions, emphases: Emphases = 'signs') {
    this.options = options
    this.emphases = emphases
  }

  /** One block after the other; what is between blocks is a paragraph. */
  blocks(nodes: readonly HtmlNode[], write: WritePart = (part, isOther) => this.part(part, isOther)): string {
    const written: string[] = []
    let inline: HtmlNode[] = []
    const flush = () => {
      const text = inline.length ? write(inline, false) : ''
      if (text) written.push(text)
      inline = []
    }
    let before: HtmlElement | undefined
    let isOther = false
    for (const node of nodes) {
      if (!isBlock(node)) {
        inline.push(node)
        continue
      }
      flush()
      // Two lists next to each other would be one, if they did not look different.
      isOther = isList(node) && before?.name === node.name ? !isOther : false
      const text = write([node], isOther)
      if (!text) continue
      written.push(text)
      before = node
    }
    flush()
    return written.join('\n\n')
  }

  /** One block, or what is between blocks. */
  part(nodes: readonly HtmlNode[], isOther: boolean): string {
    const [only] = nodes
    return only && isBlock(only) ? this.block(only, isOther) : this.paragraph(nodes)
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
    // A run of blanks is looked at from its beginning alone.
    const line = this.inlines(nodes)
      .replaceAll(/(?:(?<![ \t])[ \t]+)?\\?\n[ \t]*/g, (found) => (found.includes('\\') ? '\\\n' : '\n'))
      .replace(/^(?:[ \t]|\\\n|\n)+/, '')
    return withoutEndingBreaks(line)
  }

  private inlines(nodes: readonly HtmlNode[]): string {
    return writtenPieces(
      joined(nodes).map((node) => this.piece(node)),
      this.emphases === 'signs',
    )
  }

  private piece(node: HtmlNode): Piece {
    const form = formOf(node)
    if (!form || !('name' in node) || this.emphases === 'none') return { text: this.inline(node) }
    const inner = this.inlines(node.children)
    const { before, text, after } = withBlanksApart(inner)
    return text ? { form, before, text, after } : { text: inner }
  }

  private inline(node: HtmlNode): string {
    if ('text' in node) return escapedText(node.text.replaceAll(/[ \t\r\n\f]+/g, ' '))
    const { name, attributes, children } = node
    if (name === 'br') return '\\\n'
    if (name === 'img') return this.image(attributes)
    if (name === 'code' || name === 'kbd' || name === 'samp' || name === 'tt')
      return inlineCode(textOf(children))
    const inner = BLOCK.test(name) ? ` ${this.inlines(children)} ` : this.inlines(children)
    return name === 'a' && attributes['href'] !== undefined ? this.link(attributes['href'], inner) : inner
  }

  private link(href: string, inner: string): string {
    const { before, text, after } = withBlanksApart(inner)
    if (!text) return inner
    const own = this.options.link?.(href, text)
    return `${before}${own ?? `[${text}](${destination(href)})`}${after}`
  }

  private image({ src = '', alt = '' }: Readonly<Record<string, string>>): string {
    if (!src || src.startsWith('data:')) return ''
    const label = escapedText(alt.replaceAll(/\s+/g, ' '))
    return this.options.image?.(src, label) ?? `![${label}](${destination(src)})`
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

/** Blanks at an end go outside of what is around a text. An expression would look at a long run of them once from each. */
function withBlanksApart(inner: string): { before: string; text: string; after: string } {
  const text = inner.trim()
  const from = inner.length - inner.trimStart().length
  return { before: inner.slice(0, from), text, after: inner.slice(from + text.length) }
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
