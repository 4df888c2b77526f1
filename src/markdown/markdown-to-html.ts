import MarkdownIt, { type StateBlock, type StateInline } from 'markdown-it'
import { type AddressOf, cleanHtml, escaped } from '#src/markdown/clean-html.ts'

/** `[[target#heading|alias]]`, or `![[…]]`. */
export interface WikiLink {
  target: string
  alias: string | undefined
  isEmbedded: boolean
}

export interface ToHtmlOptions {
  /** HTML of a link between notes; without it, it is its text. */
  wikiLink?: (link: WikiLink) => string
  /** For links and pictures, as Markdown or HTML. */
  address?: AddressOf
  onTag?: (tag: string) => void
  /** A line feed is one, as Obsidian shows it. */
  breaks?: boolean
}

export interface RenderedMarkdown {
  html: string
}

/** Markdown as HTML that a description may show: HTML in it is cleaned, nothing in it runs. */
export function markdownToHtml(markdown: string, options: ToHtmlOptions = {}): RenderedMarkdown {
  const parser = options.breaks ? lineByLine : plain
  return { html: cleanHtml(parser.render(markdown, { options }), options.address).trim() }
}

/** What belongs to one text is in its environment: the parser is shared. */
const optionsOf = (env: object): ToHtmlOptions => (env as { options: ToHtmlOptions }).options

const WIKI_LINK = /(!?)\[\[([^[\]|\n]{1,1000}?)(?:\\?\|([^[\]\n]{0,1000}))?\]\]/y
const TAG = /#([\p{L}\p{N}\p{Extended_Pictographic}_/-]{1,200})/uy
const COMMENT = /%%[^]*?%%/y
const HIGHLIGHT = /==(?=\S)((?:(?!==)[^\n]){1,1000})==/y

/** How a footnote begins, and what a label leads to. */
const FOOTNOTE = /\[\^[^\n]*?\]:/y
const DEFINITION = /\[[^\n]*?\]:/y

type Rule = (state: StateInline, silent: boolean) => boolean

function parserWith(breaks: boolean) {
  const parser = new MarkdownIt({ html: true, breaks, linkify: false, maxNesting: 60 })
  const { ruler } = parser.inline
  ruler.before('link', 'wiki_link', wikiLink)
  ruler.before('link', 'tag', tag)
  ruler.before('link', 'comment', comment)
  ruler.before('link', 'highlight', highlight)
  parser.block.ruler.before('reference', 'footnote', footnote)
  return parser
}

/** It is a paragraph: of one word it would be the address of a link, and be read by nobody. */
function footnote(state: StateBlock, line: number, _end: number, silent: boolean): boolean {
  const begins = (pattern: RegExp, at: number) =>
    match(pattern, state.src, state.bMarks[at]! + state.tShift[at]!) !== null
  if (state.sCount[line]! - state.blkIndent >= 4 || !begins(FOOTNOTE, line)) return false
  const { lineMax, md } = state
  let end = line + 1
  while (end < lineMax && !begins(DEFINITION, end)) end++
  state.lineMax = end
  const paragraph = md.block.ruler.getRules('').at(-1)!
  const isOne = paragraph(state, line, end, silent)
  state.lineMax = lineMax
  return isOne
}

const wikiLink: Rule = (state, silent) => {
  const found = match(WIKI_LINK, state.src, state.pos)
  if (!found) return false
  const [text, bang, target = '', alias] = found
  if (!silent) {
    const options = optionsOf(state.env)
    const link = { target: target.trim(), alias: alias?.trim() || undefined, isEmbedded: bang === '!' }
    state.push('html_inline', '', 0).content = options.wikiLink?.(link) ?? escaped(link.alias ?? link.target)
  }
  state.pos += text.length
  return true
}

const tag: Rule = (state, silent) => {
  const found = match(TAG, state.src, state.pos)
  // Digits alone are none, nor is what a letter stands before.
  if (
    !found ||
    /^[\d/_-]+$/.test(found[1]!) ||
    /[\p{L}\p{N}/#&]$/u.test(state.src.slice(Math.max(0, state.pos - 2), state.pos))
  )
    return false
  if (!silent) {
    optionsOf(state.env).onTag?.(found[1]!)
    state.push('text', '', 0).content = found[0]
  }
  state.pos += found[0].length
  return true
}

const comment: Rule = (state) => {
  const found = match(COMMENT, state.src, state.pos)
  if (!found) return false
  state.pos += found[0].length
  return true
}

const highlight: Rule = (state, silent) => {
  const found = match(HIGHLIGHT, state.src, state.pos)
  if (!found) return false
  if (!silent) state.push('html_inline', '', 0).content = `<mark>${escaped(found[1]!)}</mark>`
  state.pos += found[0].length
  return true
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const plain = parserWith(false)
const lineByLine = parserWith(true)
