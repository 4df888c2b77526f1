/** Of a run of combining marks this many count (additions §7): to put them in order takes the square of their number. */
const MOST_MARKS = 30
/** No character becomes more than three marks, so shorter runs stay within the bound. U+FF9E and U+FF9F become marks. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{8,}([\u0e33\u0eb3]?)/gu
const MARK = /\p{M}/gu
const MARKS_AT_END = /\p{M}*$/u
const IN_RUN = /[\p{M}\uff9e\uff9f]/uy
const SURROGATE = /[\ud800-\udfff]/

/** In code units. A slice becomes up to eighteen times as long. */
const SLICE = 16_384
/** Of each text this many characters (code points) count, folded (additions §7). */
export const MOST_FOLDED = 1_000_000

/**
 * A text folded a slice at a time, each decomposed by NFKD; `fold` is given what is before it, folded. It takes linear
 * time and no more room than the bound: every text that comes from outside is normalized in this file and nowhere else.
 */
export function foldInSlices(text: string, fold: (slice: string, before: string) => string): string {
  let folded = ''
  let before = ''
  let left = MOST_FOLDED
  for (const slice of decomposed(text)) {
    const first = firstCharacters(fold(slice, before), left)
    folded += first.text
    before = first.text || before // not all of it: to look at its end, the engine would copy it each time
    left -= first.characters
    if (left === 0) break
  }
  return folded
}

/** More marks than words have: to compose them takes the square of their number. */
const UNCOMPOSED = /\p{M}{64}/u

/** A text by NFC, as names of files are compared; one with a run of more marks than names have is left as it is. */
export const composed = (text: string): string => (UNCOMPOSED.test(text) ? text : text.normalize('NFC'))

/** Of a run of more than 30 combining marks the first 30 are in it. */
function* decomposed(text: string): Generator<string> {
  const bounded = text.replace(LONG_RUN, firstMarks)
  if (bounded.length <= SLICE) return yield bounded.normalize('NFKD')
  for (let at = 0; at < bounded.length;) {
    const end = endOfSlice(bounded, at + SLICE)
    yield bounded.slice(at, end).normalize('NFKD')
    at = end
  }
}

/** A run of marks, decomposed, as far as it counts. */
function firstMarks(run: string, vowel: string, at: number, text: string): string {
  const before = text.slice(Math.max(0, at - 2), at).normalize('NFKD')
  let left = MOST_MARKS - Array.from(MARKS_AT_END.exec(before)![0]).length
  let kept = ''
  for (const character of run) {
    const marks = character.normalize('NFKD').match(MARK)!
    kept += marks.slice(0, left).join('')
    left -= marks.length
    if (left <= 0) break
  }
  // A vowel of Thai or Lao is a mark and a letter.
  return kept + vowel.normalize('NFKD').replace(MARK, '')
}

/** Where no character is cut, nor a run of marks, which are put in order together. */
function endOfSlice(text: string, end: number): number {
  if (end >= text.length) return text.length
  let at = end
  while (isInside(text, at)) at--
  return at
}

function isInside(text: string, at: number): boolean {
  if (isLowSurrogate(text.charCodeAt(at)) && !isLowSurrogate(text.charCodeAt(at - 1))) return true
  IN_RUN.lastIndex = at
  return IN_RUN.test(text)
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** The beginning of a text up to this many code points, and how many those are. */
function firstCharacters(text: string, most: number): { text: string; characters: number } {
  if (!SURROGATE.test(text)) return { text: text.slice(0, most), characters: Math.min(text.length, most) }
  let end = 0
  let characters = 0
  for (; end < text.length && characters < most; characters++) end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return { text: text.slice(0, end), characters }
}
