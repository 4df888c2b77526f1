import { HTML_ENTITIES } from '#src/domain/html-entities.ts'

/** Elements that are by themselves: between their text and what is next to it a reader sees a gap. */
const BLOCKS = new Set(
  'address article aside blockquote br caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html body legend li main menu nav noscript ol optgroup option p pre search section select summary table tbody td tfoot th thead title tr ul'.split(
    ' ',
  ),
)
/** Elements whose content nobody reads. */
const UNREAD = new Set(['script', 'style', 'template'])

const NAME = /\/?([a-z][^\s/>]*)/iy
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,8}));/gi
/**
 * A run of white space that is not a blank already: most are. U+FEFF, which JavaScript takes for a blank, has no width
 * and parts nothing.
 */
const WHITE_SPACE = /[^\S\ufeff ][^\S\ufeff]*| [^\S\ufeff]+/gu
const LAST_CODE_POINT = 0x10ffff

/**
 * What a reader reads of HTML: tags away, those of blocks as a blank, character references decoded, each run of white
 * space one blank. What only looks like the beginning of a tag is text. In linear time.
 */
export function readableText(html: string): string {
  const text = html.includes('<') ? withoutTags(html) : html
  return joinBlanks(text.replace(REFERENCE, decoded)).trim()
}

/** Each run of white space as one blank. */
export const joinBlanks = (text: string): string => text.replace(WHITE_SPACE, ' ')

function withoutTags(html: string): string {
  const read: string[] = []
  let at = 0
  for (;;) {
    const start = html.indexOf('<', at)
    if (start < 0) break
    read.push(html.slice(at, start))
    const tag = html.startsWith('<!--', start) ? commentAt(html, start) : tagAt(html, start)
    if (tag.gap) read.push(' ')
    if (tag.isText) read.push(html.slice(start, tag.end))
    at = tag.end
  }
  return read.join('') + html.slice(at)
}

interface Skipped {
  end: number
  gap?: boolean
  /** It is no tag after all. */
  isText?: boolean
}

function commentAt(html: string, start: number): Skipped {
  const end = html.indexOf('-->', start + 4)
  return { end: end < 0 ? html.length : end + 3 }
}

function tagAt(html: string, start: number): Skipped {
  NAME.lastIndex = start + 1
  const name = NAME.exec(html)?.[1]?.toLowerCase()
  if (name === undefined) {
    if (html[start + 1] !== '!' && html[start + 1] !== '?') return { end: start + 1, isText: true }
    const end = html.indexOf('>', start)
    return end < 0 ? { end: html.length, isText: true } : { end: end + 1 }
  }
  const { end, isText } = endOfTag(html, NAME.lastIndex)
  if (isText) return { end, isText }
  const isOpening = html[start + 1] !== '/'
  if (isOpening && UNREAD.has(name)) return { end: endOfUnread(html, name, end) }
  return { end, gap: BLOCKS.has(name) }
}

/** Behind the `>` that is in no quotes. Where another tag or nothing follows before it, all of this is text. */
function endOfTag(html: string, from: number): Skipped {
  const STOP = /[<>"']/g
  STOP.lastIndex = from
  for (let stop = STOP.exec(html); stop; stop = STOP.exec(html)) {
    if (stop[0] === '>') return { end: stop.index + 1 }
    if (stop[0] === '<') return { end: stop.index, isText: true }
    const close = html.indexOf(stop[0], stop.index + 1)
    if (close < 0) break
    STOP.lastIndex = close + 1
  }
  return { end: html.length, isText: true }
}

function endOfUnread(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}\\b[^>]*>?`, 'gi')
  close.lastIndex = from
  return close.exec(html) ? close.lastIndex : html.length
}

function decoded(written: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return HTML_ENTITIES.get(name) ?? written
  const point = decimal === undefined ? parseInt(hexadecimal!, 16) : Number(decimal)
  const isCharacter = point > 0 && point <= LAST_CODE_POINT && (point < 0xd800 || point > 0xdfff)
  return isCharacter ? String.fromCodePoint(point) : '\ufffd'
}
