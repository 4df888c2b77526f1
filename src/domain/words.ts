import { graphemes } from '#src/domain/graphemes.ts'

/** Of a longer word the first so many characters are looked for (additions §13): `recipe` finds `recipes`. */
export const STEM = 6
/** UTF-16 units that are kept of what follows the stem: more would not tell words apart that people write. */
const REST = 32
/** Between the stem of a word and its rest: no word has a blank, and a range of keys ends behind it. */
const GAP = ' '
export const BEHIND_GAP = '!'

/** Letters, marks and digits; the letters that stand for numbers are letters here (〇). */
const RUNS = /[\p{L}\p{M}\p{Nd}\p{Nl}]+/gu
const ASCII = /^[\0-\x7f]*$/
const ASCII_RUNS = /[a-z0-9]+/g
/** Scripts that put no blanks between words. */
const PARTED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu
const ANY_PARTED = new RegExp(PARTED.source, 'u')

/** A word that is looked for. */
export interface SoughtWord {
  /** Items with a word that begins so have it; a word that is shorter than a stem is the whole of it. */
  readonly stem: string
  /** How the index names the word itself; several where words that begin alike are looked for. */
  readonly keys: readonly string[]
}

/** The stem of a word by its key. */
export const stemOf = (key: string): string => {
  const gap = key.indexOf(GAP)
  return gap < 0 ? key : key.slice(0, gap)
}

/** Whether other words may begin with the stem. */
export const isOpen = (stem: string): boolean => stem.length >= STEM && graphemes(stem).length >= STEM

/** The names of the words of a folded text, as the index has them, as often as they occur. */
export const keysIn = (folded: string): string[] => wordsIn(folded).keys

/** The same, and how many words these are: of scripts that put no blanks between them, how many characters. */
export function wordsIn(folded: string): { keys: string[]; count: number } {
  if (ASCII.test(folded)) {
    const keys = (folded.match(ASCII_RUNS) ?? []).map(keyOfAscii)
    return { keys, count: keys.length }
  }
  const keys: string[] = []
  let count = 0
  // To find where the characters of a word end takes a thousand times as long as to look it up.
  const known = new Map<string, string>()
  const add = (word: string) => {
    count++
    let key = known.get(word)
    if (key === undefined) known.set(word, (key = keyOf(word)))
    keys.push(key)
  }
  const whole = folded.normalize('NFC')
  if (!ANY_PARTED.test(whole)) {
    // As below, at a third of the time.
    for (const word of whole.match(RUNS) ?? []) add(word)
    return { keys, count }
  }
  for (const { text, parted } of partsOf(whole)) {
    if (!parted) {
      add(text)
      continue
    }
    const characters = graphemes(text)
    count += characters.length
    for (const [i, each] of characters.entries()) {
      keys.push(each)
      if (i) keys.push(characters[i - 1]! + each)
    }
  }
  return { keys, count }
}

/** The different words of a folded text that is looked for, in their order; words that begin alike are one. */
export function soughtIn(folded: string): SoughtWord[] {
  const found = new Map<string, Set<string>>()
  for (const key of soughtKeys(folded)) {
    const stem = stemOf(key)
    ;(found.get(stem) ?? found.set(stem, new Set()).get(stem)!).add(key)
  }
  return [...found].map(([stem, keys]) => ({ stem, keys: [...keys] }))
}

function soughtKeys(folded: string): string[] {
  if (ASCII.test(folded)) return keysIn(folded)
  const keys: string[] = []
  for (const { text, parted } of partsOf(folded.normalize('NFC'))) {
    const characters = parted ? graphemes(text) : []
    const pairs = characters.slice(1).map((each, i) => characters[i]! + each)
    keys.push(...(pairs.length ? pairs : [parted ? text : keyOf(text)]))
  }
  return keys
}

interface Part {
  text: string
  /** Whether it is of a script without blanks between words. */
  parted: boolean
  /** Where it begins in the text. */
  index: number
}

/** The runs of letters, marks and digits of a text, as it is, by whether they are to be parted. */
export function* partsOf(text: string): Generator<Part> {
  for (const { 0: run, index: start } of text.matchAll(RUNS)) {
    let at = 0
    for (const { 0: parted, index } of run.matchAll(PARTED)) {
      if (index > at) yield { text: run.slice(at, index), parted: false, index: start + at }
      yield { text: parted, parted: true, index: start + index }
      at = index + parted.length
    }
    if (at < run.length) yield { text: run.slice(at), parted: false, index: start + at }
  }
}

const keyOfAscii = (word: string): string =>
  word.length > STEM ? word.slice(0, STEM) + GAP + word.slice(STEM, STEM + REST) : word

function keyOf(word: string): string {
  if (word.length <= STEM) return word
  const stem = graphemes(word, STEM).join('')
  return word.length > stem.length ? stem + GAP + wholeUnits(word.slice(stem.length)) : word
}

/** No more than the rest that is kept, and no half of a character at its end. */
function wholeUnits(rest: string): string {
  const cut = rest.slice(0, REST)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
