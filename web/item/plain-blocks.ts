import { together } from '#web/item/together.ts'

/** Elements that are by themselves and that a description has no place for. */
export const DROPPED_BLOCKS: readonly string[] =
  'address article aside caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h5 h6 header hgroup legend main menu nav optgroup option search section summary'.split(
    ' ',
  )
const DROPPED = new Set(DROPPED_BLOCKS.map((name) => name.toUpperCase()))
/** Elements that no paragraph may hold. */
const KEPT = new Set('P H1 H2 H3 H4 UL OL LI PRE BLOCKQUOTE TABLE THEAD TBODY TR TH TD HR'.split(' '))
/** Elements that hold a line, not paragraphs. */
const OF_LINES = /^(?:P|H[1-4]|PRE)$/
const LOW_HEADING = /^H[56]$/

/**
 * Blocks that a description has no place for become paragraphs, headings of the nearest level, or, where there can be
 * none of these, lines: their words stay apart from what is next to them. Each node is moved once, however deep it is.
 */
export function plainBlocks(fragment: DocumentFragment): DocumentFragment {
  flatten(fragment)
  return fragment
}

type LineBreak = () => Node
/** What parts lines in an element that holds no paragraphs. */
const lineBreakIn = (name: string): LineBreak | undefined =>
  OF_LINES.test(name)
    ? () => (name === 'PRE' ? document.createTextNode('\n') : document.createElement('br'))
    : undefined

/** Whether there are blocks in it. */
function flatten(parent: ParentNode, lineBreak?: LineBreak): boolean {
  const parts = new Parts(lineBreak)
  const children = [...parent.childNodes]
  for (const child of children) parts.take(child)
  if (parts.isOther) parent.replaceChildren(together(parts.made))
  return parts.hasBlocks
}

/** What becomes of an element's content. */
class Parts {
  readonly made: Node[] = []
  isOther = false
  hasBlocks = false
  /** What parts lines, where there are no paragraphs. */
  private readonly lineBreak: LineBreak | undefined
  /** How many of the blocks around the next node are dropped. */
  private within = 0
  /** What the next node goes on in. */
  private paragraph: Element | undefined
  private isEnded = false

  constructor(lineBreak: LineBreak | undefined) {
    this.lineBreak = lineBreak
  }

  take(child: ChildNode): void {
    if (!(child instanceof Element)) return this.add(child)
    if (DROPPED.has(child.tagName)) return this.dissolve(child)
    // Outside its table, where a paragraph can be.
    if (child instanceof HTMLTableElement)
      for (const caption of child.querySelectorAll(':scope > caption')) this.dissolve(caption)
    const isBlock = KEPT.has(child.tagName)
    const holdsBlocks = flatten(child, isBlock ? lineBreakIn(child.tagName) : this.lineBreak)
    if (isBlock || holdsBlocks) this.addBlock(child)
    else this.add(child)
  }

  private dissolve(block: Element): void {
    this.isOther = true
    this.end()
    if (LOW_HEADING.test(block.tagName) && !this.lineBreak) {
      const heading = document.createElement('h4')
      heading.append(together(block.childNodes))
      flatten(heading, lineBreakIn('H4'))
      this.addBlock(heading)
    } else {
      const children = [...block.childNodes]
      this.within++
      for (const child of children) this.take(child)
      this.within--
    }
    this.end()
  }

  private end(): void {
    this.paragraph = undefined
    this.isEnded = true
  }

  private addBlock(block: Node): void {
    this.end()
    this.hasBlocks = true
    this.made.push(block)
  }

  private add(node: Node): void {
    const isBlank = node instanceof Text && !this.paragraph && /^[ \t\r\n\f]*$/.test(node.data)
    if (this.lineBreak) {
      if (this.isEnded && !isBlank && this.made.length) this.made.push(this.lineBreak())
      if (!isBlank) this.isEnded = false
      this.made.push(node)
    } else if (!this.within || isBlank) this.made.push(node)
    else {
      if (!this.paragraph) {
        const paragraph = document.createElement('p')
        this.addBlock(paragraph)
        this.paragraph = paragraph
      }
      this.paragraph.append(node)
    }
  }
}
