import { readableText } from '#src/domain/readable-text.ts'
import { escaped } from '#src/markdown/clean-html.ts'
import { type HtmlNode, htmlTree } from '#src/markdown/html-tree.ts'
import { escapedLine, escapedText, fence } from '#src/markdown/markdown-signs.ts'
import { isBlock, MarkdownWriter, type ToMarkdownOptions } from '#src/markdown/markdown-writer.ts'
import { markdownToHtml } from '#src/markdown/markdown-to-html.ts'

/**
 * Markdown (CommonMark with tables and strikethrough) that reads as the HTML does. What becomes of it is held against
 * it: where a reader would read something else, that block is written in a simpler form, at last as its text alone.
 */
export function htmlToMarkdown(html: string, options: ToMarkdownOptions = {}): string {
  if (!html.trim()) return ''
  const text = readableText(html)
  const tree = htmlTree(html)
  if (!tree) return plainText(text)
  const held = new MarkdownWriter({}).blocks(tree)
  if (readsAs(held, text)) return new MarkdownWriter(options).blocks(tree)
  const blocks = new BlockForms(tree, HELD_TIMES * html.length)
  return readsAs(blocks.written({}), text) ? blocks.written(options) : plainText(text)
}

/** In which forms a block is tried, one after the other. */
const FORMS = ['signs', 'tags', 'none'] as const
/** How often a description is parsed for its blocks, all in all: blocks in blocks could take it many times. */
const HELD_TIMES = 4

/** A description block by block, each in the first form that reads as it does. */
class BlockForms {
  private readonly tree: readonly HtmlNode[]
  /** Characters that are still held against the HTML. */
  private left: number
  /** By the first node of a block: which form; undefined: that of its own blocks, or none. */
  private readonly forms = new Map<HtmlNode, number>()

  constructor(tree: readonly HtmlNode[], left: number) {
    this.tree = tree
    this.left = left
  }

  written(options: ToMarkdownOptions): string {
    const writers = FORMS.map((emphases) => new MarkdownWriter(options, emphases))
    const [first] = writers as [MarkdownWriter]
    const part = (nodes: readonly HtmlNode[], isOther: boolean): string => {
      const inner = blocksIn(nodes)
      if (inner && !hasForm(nodes)) return first.blocks(inner, part)
      const writer = writers[this.formOf(nodes)]
      if (writer) return writer.part(nodes, isOther)
      if (inner) return first.blocks(inner, part)
      const pictures = imagesIn(nodes).map((image) => first.part([image], false))
      return [plainText(readableText(htmlOf(nodes))), ...pictures].filter(Boolean).join('\n\n')
    }
    return first.blocks(this.tree, part)
  }

  private formOf(nodes: readonly HtmlNode[]): number {
    const known = this.forms.get(nodes[0]!)
    if (known !== undefined) return known
    const text = readableText(htmlOf(nodes))
    const form = FORMS.findIndex((emphases) => {
      const markdown = new MarkdownWriter({}, emphases).part(nodes, false)
      if (markdown.length > this.left) return false
      this.left -= markdown.length
      return readsAs(markdown, text)
    })
    this.forms.set(nodes[0]!, form)
    return form
  }
}

const readsAs = (markdown: string, text: string): boolean =>
  readableText(markdownToHtml(markdown).html) === text

function plainText(text: string): string {
  const line = escapedLine(escapedText(text))
  return readsAs(line, text) ? line : fence(text, '')
}

/** The content of a block that has blocks in it. */
function blocksIn([only]: readonly HtmlNode[]): readonly HtmlNode[] | undefined {
  return only && isBlock(only) && only.children.some(isBlock) ? only.children : undefined
}

/** Whether a block is more than its content. */
const hasForm = ([only]: readonly HtmlNode[]): boolean =>
  only !== undefined && 'name' in only && /^(?:ul|ol|menu|table|pre|blockquote|h[1-6])$/.test(only.name)

const imagesIn = (nodes: readonly HtmlNode[]): HtmlNode[] =>
  nodes.flatMap((node) => ('text' in node ? [] : node.name === 'img' ? [node] : imagesIn(node.children)))

const htmlOf = (nodes: readonly HtmlNode[]): string =>
  nodes
    .map((node) =>
      'text' in node ? escaped(node.text) : `<${node.name}>${htmlOf(node.children)}</${node.name}>`,
    )
    .join('')
