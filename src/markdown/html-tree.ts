import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parseFragment } from 'parse5'

export type HtmlNode = { text: string } | HtmlElement
export interface HtmlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  children: HtmlNode[]
}

/** Levels of elements; what is deeper is put next to each other. */
const MAX_LEVELS = 60
/** Characters of HTML whose tags are read; what a parser does may take longer than the length. */
const MAX_TAGS = 50_000

const UNREAD = new Set([
  'script',
  'style',
  'template',
  'head',
  'title',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
])

/** HTML as a browser reads it; undefined where it has too many tags to be read for what it is. */
export function htmlTree(html: string): HtmlNode[] | undefined {
  if (countOf(html, '<') > MAX_TAGS) return undefined
  return childrenOf(parseFragment(html), 0)
}

function countOf(text: string, sign: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++
  return count
}

function childrenOf(parent: DefaultTreeAdapterTypes.ParentNode, level: number): HtmlNode[] {
  const nodes: HtmlNode[] = []
  for (const node of parent.childNodes) {
    if (defaultTreeAdapter.isTextNode(node)) nodes.push({ text: node.value })
    else if (defaultTreeAdapter.isElementNode(node) && !UNREAD.has(node.tagName)) {
      if (level < MAX_LEVELS)
        nodes.push({
          name: node.tagName,
          attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
          children: childrenOf(node, level + 1),
        })
      else nodes.push({ text: textBelow(node) })
    }
  }
  return nodes
}

/** Without recursion: it may be as deep as the text is long. */
function textBelow(element: DefaultTreeAdapterTypes.Element): string {
  const texts: string[] = []
  const rest: DefaultTreeAdapterTypes.ChildNode[] = element.childNodes.toReversed()
  for (let node = rest.pop(); node; node = rest.pop())
    if (defaultTreeAdapter.isTextNode(node)) texts.push(node.value)
    else if (defaultTreeAdapter.isElementNode(node) && !UNREAD.has(node.tagName)) {
      texts.push(' ')
      for (const child of node.childNodes.toReversed()) rest.push(child)
    }
  return texts.join('')
}
