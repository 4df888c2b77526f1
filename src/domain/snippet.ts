import { graphemes } from '#src/domain/graphemes.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import { isOpen, keysIn, partsOf, stemOf } from '#src/domain/words.ts'

/** A piece of a text around what a search has met (additions §13). */
export interface Snippet {
  text: string
  /** From and to, in UTF-16 units of the text. */
  marks: [from: number, to: number][]
}

/** What is to be marked: stems of words, and folded texts. */
export interface Marked {
  readonly stems: ReadonlySet<string>
  readonly texts: readonly string[]
}

/** Characters of a snippet. */
const LONGEST = 240
/** Of a longer text the rest is not looked at. */
const LOOKED_AT = 100_000
/** What comes before the first mark. */
const BEFORE = 60

interface Met {
  from: number
  to: number
  what: string
}

export interface FoundSnippet extends Snippet {
  /** How many different words or texts are in it. */
  met: number
}

/** The piece of a text with most of what is to be marked; undefined where nothing of it is there. */
export function snippetOf(whole: string, marked: Marked): FoundSnippet | undefined {
  const text = whole.slice(0, LOOKED_AT)
  const folded = foldedWithPlaces(text)
  const met = [...wordsMet(folded, marked.stems), ...textsMet(folded, marked.texts)].toSorted(
    (a, b) => a.from - b.from || b.to - a.to,
  )
  if (!met.length) return undefined
  const { from, count } = bestWindow(met)
  const start = beginningOf(text, from)
  const piece = wholeCharacters(text.slice(start), LONGEST)
  const end = start + piece.length
  return { text: piece, marks: joinedMarks(met, start, end), met: count }
}

/** The window that has most different things in it, then the first one. */
function bestWindow(met: readonly Met[]): { from: number; count: number } {
  let best = { from: met[0]!.from, count: 0 }
  const inside = new Map<string, number>()
  let last = 0
  for (const { from, what } of met) {
    for (; last < met.length && met[last]!.to <= from + LONGEST - BEFORE; last++)
      inside.set(met[last]!.what, (inside.get(met[last]!.what) ?? 0) + 1)
    if (inside.size > best.count) best = { from, count: inside.size }
    const left = (inside.get(what) ?? 0) - 1
    if (left > 0) inside.set(what, left)
    else inside.delete(what)
  }
  return { from: best.from, count: Math.max(1, best.count) }
}

/** A little before what is met, where a word begins. */
function beginningOf(text: string, from: number): number {
  if (from <= BEFORE) return 0
  const blank = text.indexOf(' ', from - BEFORE)
  const start = blank >= 0 && blank < from ? blank + 1 : from
  return isLow(text, start) ? start - 1 : start
}

const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00
const isHigh = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800

/** UTF-16 units that a character has at most, as people count them; of one that has more a part is shown. */
const LONGEST_CHARACTER = 32
const PLAIN = /^[ -~]*$/

/** The beginning of a text, without a part of a character at its end. */
function wholeCharacters(text: string, most: number): string {
  if (text.length <= most || PLAIN.test(text.slice(most - 1, most + 1))) return text.slice(0, most)
  let end = 0
  for (const each of graphemes(text.slice(0, most + LONGEST_CHARACTER))) {
    if (end + each.length > most) break
    end += each.length
  }
  if (end < most - LONGEST_CHARACTER) end = most
  return text.slice(0, isHigh(text, end - 1) ? end - 1 : end)
}

function joinedMarks(met: readonly Met[], start: number, end: number): [number, number][] {
  const marks: [number, number][] = []
  for (const { from, to } of met) {
    if (from < start || from >= end) continue
    const mark: [number, number] = [from - start, Math.min(to, end) - start]
    const last = marks.at(-1)
    if (last && mark[0] <= last[1]) last[1] = Math.max(last[1], mark[1])
    else marks.push(mark)
  }
  return marks
}

/** Where words are that are sought, or begin alike. */
function* wordsMet({ folded, met }: Folded, stems: ReadonlySet<string>): Generator<Met> {
  if (!stems.size) return
  for (const { text: run, parted, index } of partsOf(folded)) {
    if (!parted) {
      const stem = keysIn(run)
        .map(stemOf)
        .find((each) => stems.has(each))
      if (stem !== undefined) yield met(index, run.length, stem)
      continue
    }
    const characters = graphemes(run)
    let at = index
    for (const [i, each] of characters.entries()) {
      const [next = ''] = characters.slice(i + 1, i + 2)
      const pair = (each + next).normalize('NFC')
      const single = each.normalize('NFC')
      if (next && stems.has(pair)) yield met(at, each.length + next.length, pair)
      else if (stems.has(single)) yield met(at, each.length, single)
      at += each.length
    }
  }
}

/** Where texts are that are folded. */
function* textsMet({ folded, met }: Folded, sought: readonly string[]): Generator<Met> {
  for (const what of sought)
    for (let at = folded.indexOf(what); at >= 0; at = folded.indexOf(what, at + what.length))
      yield met(at, what.length, what)
}

/**
 * Characters with the marks behind them, and what nobody sees between these: what is folded by itself, for only within
 * it folding puts marks in order.
 */
const CHARACTERS = /[^\p{M}\p{DI}\uff9e\uff9f]?[\p{M}\p{DI}\uff9e\uff9f]+|[^\p{M}\p{DI}\uff9e\uff9f]/gsu

interface Folded {
  folded: string
  /** What has so many units of the folded text, in the text: whole characters, of which folding may make several. */
  met: (at: number, length: number, what: string) => Met
}

/** A text as searches fold it, with the places in it. */
function foldedWithPlaces(text: string): Folded {
  const folded: string[] = []
  // To read the end of a text that grows takes the square of its length.
  let endsBlank = false
  const [starts, ends]: [number[], number[]] = [[], []]
  const known = new Map<string, string>()
  for (const { 0: each, index } of text.matchAll(CHARACTERS)) {
    let piece = known.get(each)
    if (piece === undefined) known.set(each, (piece = foldForSearch(each)))
    if (piece === '') continue
    if (endsBlank && piece.startsWith(' ')) piece = piece.slice(1)
    endsBlank = piece === '' || piece.endsWith(' ')
    for (let unit = 0; unit < piece.length; unit++) {
      starts.push(index)
      ends.push(index + each.length)
    }
    folded.push(piece)
  }
  const met = (at: number, length: number, what: string) => ({
    from: starts[at]!,
    to: ends[at + length - 1]!,
    what,
  })
  return { folded: folded.join(''), met }
}

/** The stem as a reader is shown it: others may go on behind it. */
export const shownStem = (stem: string): string => (isOpen(stem) ? `${stem}…` : stem)
