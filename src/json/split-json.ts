/** A valid JSON text with its longest list taken out, and that list in pieces. */
export interface SplitJson {
  /** The text with an empty list in that place. */
  outer: string
  /** The keys that lead to it. */
  path: readonly string[]
  /** JSON arrays that make up the list, in order. */
  pieces: readonly string[]
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const SPACE = 0x20
/** Keys that are followed; what lies deeper stays in one piece. */
const MAX_PATH = 8

/**
 * Cuts a JSON text so that it can be read a piece at a time: along the longest value of each object to a list, whose
 * elements are put together to pieces of about `size` characters. null where there is no such list of that size.
 * @param text Valid JSON.
 */
export function splitJson(text: string, size: number): SplitJson | null {
  const path: string[] = []
  let at = skipSpace(text, 0)
  while (text.charCodeAt(at) === OPEN_BRACE && path.length < MAX_PATH) {
    const member = longestMember(text, at)
    if (!member || member.end - member.start < size) return null
    path.push(member.key)
    at = member.start
  }
  if (text.charCodeAt(at) !== OPEN_BRACKET) return null
  const end = endOf(text, at)
  if (end - at < size) return null
  return { outer: `${text.slice(0, at)}[]${text.slice(end)}`, path, pieces: piecesOf(text, at, size) }
}

interface Member {
  key: string
  start: number
  end: number
}

function longestMember(text: string, object: number): Member | undefined {
  let longest: Member | undefined
  let at = skipSpace(text, object + 1)
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    const keyEnd = endOf(text, at)
    const start = skipSpace(text, skipTo(text, keyEnd, COLON) + 1)
    const end = endOf(text, start)
    if (!longest || end - start > longest.end - longest.start)
      longest = { key: JSON.parse(text.slice(at, keyEnd)) as string, start, end }
    at = skipSpace(text, end)
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
  }
  return longest
}

function piecesOf(text: string, array: number, size: number): string[] {
  const pieces: string[] = []
  let at = skipSpace(text, array + 1)
  let start = at
  while (text.charCodeAt(at) !== CLOSE_BRACKET) {
    const end = endOf(text, at)
    at = skipSpace(text, end)
    const isLast = text.charCodeAt(at) !== COMMA
    if (!isLast) at = skipSpace(text, at + 1)
    if (isLast || end - start >= size) {
      pieces.push(`[${text.slice(start, end)}]`)
      start = at
    }
  }
  return pieces
}

/** Behind the value that begins at `at`. */
function endOf(text: string, at: number): number {
  let depth = 0
  for (let i = at; ; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      for (i++; text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++
      if (!depth) return i + 1
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (!depth) return i
      if (!--depth) return i + 1
    } else if (!depth && (code === COMMA || code <= SPACE || Number.isNaN(code))) return i
  }
}

function skipSpace(text: string, at: number): number {
  let i = at
  while (text.charCodeAt(i) <= SPACE) i++
  return i
}

function skipTo(text: string, at: number, wanted: number): number {
  let i = at
  while (text.charCodeAt(i) !== wanted) i++
  return i
}
