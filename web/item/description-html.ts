import { DOMParser, DOMSerializer, Fragment, type Node } from 'prosemirror-model'
import { writeChecks } from '#web/item/check-elements.ts'
import { keepFromLoading, leftOut, sanitized, sanitizedBlocks } from '#web/item/clean-html.ts'
import { descriptionSchema } from '#web/item/description-schema.ts'
import { markupOutline } from '#web/item/markup-outline.ts'
import { listsOfWord } from '#web/item/word-lists.ts'
import { isMarkup } from '#web/rules/description-text.ts'
import { together } from '#web/item/together.ts'

/** What the editor holds alongside what is shown: where a link opens, the language of code. */
const KEPT = { attributes: ['target', 'rel', 'class'] }
const parser = DOMParser.fromSchema(descriptionSchema)
const serializer = DOMSerializer.fromSchema(descriptionSchema)

export type ReadDescription =
  | { doc: Node }
  /** What the editor would drop. */
  | { beyond: string[] }

/** The description for the editor, where it says all of it; else what it cannot hold. */
export function readDescription(html: string): ReadDescription {
  if (!isMarkup(html)) return { doc: plainDoc(html) }
  if (/<[!?]/.test(html)) return { beyond: ['a comment'] }
  const fragment = sanitized(html, KEPT)
  const beyond = [...new Set([...leftOut(), ...lostInParsing(html, fragment)])]
  if (beyond.length) return { beyond }
  const doc = parser.parse(fragment)
  const written = serializer.serializeFragment(doc.content)
  writeChecks(written)
  return markupOutline(written) === markupOutline(fragment) ? { doc } : { beyond: ['its structure'] }
}

/** Elements that a browser does not even build: a cell without its table, a second body. */
function lostInParsing(html: string, fragment: DocumentFragment): string[] {
  const written = [...html.matchAll(/<([a-z][a-z\d-]*)/gi)].map(([, name]) => name!.toLowerCase())
  return [...new Set(written)].filter(
    (name) => fragment.querySelectorAll(name).length < written.filter((each) => each === name).length,
  )
}

/** Text without markup: an empty line begins a paragraph. */
function plainDoc(text: string): Node {
  const { doc, paragraph, hard_break } = descriptionSchema.nodes
  const paragraphs = text
    .split(/\n{2,}/)
    .map((part) =>
      paragraph.create(
        null,
        Fragment.from(
          part
            .split('\n')
            .flatMap((line, i) => [
              ...(i ? [hard_break.create()] : []),
              ...(line ? [descriptionSchema.text(line)] : []),
            ]),
        ),
      ),
    )
  return doc.create(null, paragraphs)
}

/** What is stored: HTML, a line for each block; text that had no markup and needs none stays text. */
export function writeDescription(doc: Node, was: string): string {
  if (was && !isMarkup(was)) {
    const text = plainText(doc)
    if (text !== undefined) return text
  }
  const blocks: string[] = []
  doc.forEach((block) => {
    const dom = document.createElement('div')
    dom.append(serializer.serializeFragment(Fragment.from(block)))
    writeChecks(dom)
    for (const cell of dom.querySelectorAll('li, td, th')) tighten(cell)
    for (const pre of dom.querySelectorAll('pre'))
      // A parser takes the first line break of it for none.
      if (pre.firstChild instanceof Text && pre.firstChild.data.startsWith('\n')) pre.prepend('\n')
    blocks.push(dom.innerHTML)
  })
  // The empty line that one goes on writing in says nothing.
  return blocks.join('\n').replace(/(?:(?:^|\n)<p><\/p>)+$/, '')
}

/** A paragraph that is alone, or followed by lists alone, needs no element of its own. */
function tighten(cell: Element): void {
  const [first, ...rest] = cell.children
  if (first?.tagName === 'P' && rest.every(({ tagName }) => tagName === 'UL' || tagName === 'OL'))
    first.replaceWith(together(first.childNodes))
}

function plainText(doc: Node): string | undefined {
  const { paragraph, hard_break } = descriptionSchema.nodes
  let isPlain = true
  const parts: string[] = []
  doc.forEach((block) => {
    isPlain &&= block.type === paragraph
    let part = ''
    block.forEach((node) => {
      isPlain &&= node.isText ? !node.marks.length : node.type === hard_break
      part += node.isText ? node.text : '\n'
    })
    parts.push(part)
  })
  const text = parts.join('\n\n')
  return isPlain && !isMarkup(text) ? text : undefined
}

const BOLD = /font-weight:\s*(?:bold|[6-9]00)/
const NOT_BOLD = /font-weight:\s*(?:normal|400)/
const ITALIC = /font-style:\s*italic/
/** Known while pasting, for their styles; the editor keeps their contents. */
const PASTED = {
  tags: ['span'],
  attributes: ['data-style', 'data-check', 'class', 'data-pm-slice'],
}

/** What is pasted from elsewhere, as markup of ours: emphasis that is a style stays, scripts and images that lie elsewhere do not. */
export function cleanPasted(html: string): string {
  const fragment = sanitizedBlocks(html, PASTED)
  listsOfWord(fragment)
  for (const element of fragment.querySelectorAll<HTMLElement>('[data-style]')) {
    const style = element.dataset['style']!
    if (/^[BI]$/.test(element.tagName) && NOT_BOLD.test(style))
      element.replaceWith(together(element.childNodes))
    else if (element.tagName === 'SPAN') {
      if (BOLD.test(style)) wrapContents(element, 'strong')
      if (ITALIC.test(style)) wrapContents(element, 'em')
    }
    delete element.dataset['style']
  }
  for (const element of fragment.querySelectorAll('[class]'))
    if (element.tagName !== 'CODE') element.removeAttribute('class')
  for (const image of fragment.querySelectorAll('img')) keepFromLoading(image)
  const holder = document.createElement('div')
  holder.append(fragment)
  return holder.innerHTML
}

function wrapContents(element: Element, name: 'strong' | 'em'): void {
  const wrapper = element.ownerDocument.createElement(name)
  wrapper.append(together(element.childNodes))
  element.append(wrapper)
}
