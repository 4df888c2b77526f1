import { BEHIND_GAP, isOpen, type SoughtWord } from '#src/domain/words.ts'
import { BoundedCache } from '#src/domain/bounded-cache.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { ItemWords } from '#src/storage/words/item-words.ts'
import { placesMask } from '#src/storage/words/counts.ts'
import { hasBit, PART } from '#src/storage/words/parts.ts'
import { readPostings } from '#src/storage/words/posting-block.ts'
import { ALIKE, ITSELF, TIMES } from '#src/storage/words/score.ts'
import type { Section, WordIndex } from '#src/storage/words/word-index.ts'

/** The documents of a section that have a word somewhere, in their order; some of them may be gone. */
export type Postings = (
  | {
      /** How often each has the word. */
      readonly bytes: Uint8Array
      /** What each occurrence weighs. */
      readonly weight: number
    }
  | {
      readonly bytes?: undefined
      /** By place: the sum of what the occurrences weigh. */
      readonly sums: readonly [name: Uint32Array, description: Uint32Array, values: Uint32Array]
    }
) & {
  readonly documents: Uint16Array | Uint32Array
  /** How many have the word in which places: by the bits of `placesOf`. */
  readonly combinations: Uint32Array
}

/** Where a word occurs, by section. */
export interface WordHits {
  readonly sections: readonly (Postings | undefined)[]
  /** How many living items have it in the places that are asked for. */
  readonly having: number
}

/** A word, or several that stand for one. */
export interface SoughtStems {
  readonly stems: readonly string[]
  /** Of the word itself. */
  readonly keys: readonly string[]
}

export const asStems = ({ stem, keys }: SoughtWord): SoughtStems => ({ stems: [stem], keys })

interface BlockRow {
  part: number
  word: string
  data: Uint8Array
}

// Each part is looked up in the table, never the other way round.
const blocks = query((p: { stem: string; end: string; parts: string }, db, { integers }) =>
  db
    .selectFrom('word_part as p')
    .crossJoin('word_block as b')
    .select(['b.part', 'b.word', 'b.data'])
    .whereRef('b.part', '=', 'p.part')
    .where('p.part', 'in', integers(p.parts))
    .where('b.word', '>=', p.stem)
    .where('b.word', '<', p.end),
)

/** Where a word occurs; `mask` leaves the places that are asked for. */
export async function findWord(
  db: Db,
  index: WordIndex,
  sought: SoughtStems,
  mask: number,
): Promise<WordHits> {
  const byPart = await postingsByPart(db, index, sought)
  let having = 0
  const sections = index.sections.map((section) => {
    const postings =
      section.part === undefined ? postingsOfWaiting(index, sought) : byPart.get(section.part)?.postings
    if (postings) having += countHaving(postings, section, mask)
    return postings
  })
  return { sections, having }
}

/** Where a word occurs in the parts as they were; undefined: nowhere there. */
type ByPart = ReadonlyMap<number, { readonly version: number; readonly postings: Postings | undefined }>

/** What connections that see only what is committed keep of words. */
const CACHE_KEY = 'postings of words'
/** Bytes, and milliseconds after which what nobody asks for is forgotten. */
const BOUNDS = { entries: 20_000, size: 64 * 2 ** 20, unused: 600_000 }
/** Of an entry, and of a part in it, besides its postings. */
const [ENTRY_BYTES, PART_BYTES] = [300, 100]

async function postingsByPart(db: Db, { sections }: WordIndex, sought: SoughtStems): Promise<ByPart> {
  const cache = cacheOf(db)
  const name = `${sought.stems.join(' ')}|${sought.keys.join(' ')}`
  const kept = cache?.get(name)
  const found = new Map<number, { version: number; postings: Postings | undefined }>()
  const unread: number[] = []
  for (const { part, version } of sections) {
    if (part === undefined) continue
    const known = kept?.get(part)
    const isKnown = known?.version === version
    found.set(part, isKnown ? known : { version, postings: undefined })
    if (!isKnown) unread.push(part)
  }
  if (!unread.length) return found
  const rows: BlockRow[] = []
  const parts = JSON.stringify(unread)
  for (const stem of sought.stems)
    rows.push(...(await db.all(blocks, { stem, end: stem + BEHIND_GAP, parts })))
  const itself = new Set(sought.keys)
  const byPart = Map.groupBy(rows, (row) => row.part)
  for (const { part, version, size } of sections) {
    const own = part === undefined ? undefined : byPart.get(part)
    if (own) found.set(part!, { version, postings: postingsOfBlocks(own, itself, size) })
  }
  cache?.set(name, found, ENTRY_BYTES + bytesOf(found))
  return found
}

function cacheOf(db: Db): BoundedCache<ByPart> | undefined {
  let kept = db.committed?.get(CACHE_KEY) as BoundedCache<ByPart> | undefined
  if (!kept) db.committed?.set(CACHE_KEY, (kept = new BoundedCache(BOUNDS)))
  return db.committed && kept
}

function bytesOf(byPart: ByPart): number {
  let bytes = PART_BYTES * byPart.size
  for (const { postings } of byPart.values()) {
    if (!postings) continue
    const { documents } = postings
    // Three more for the scores that a ranking remembers of each.
    bytes += documents.byteLength + documents.length * (postings.bytes ? 4 : 15)
  }
  return bytes
}

/** Of the places that are asked for by a mask, and of those where a word is by its counts: name 1, description 2, values 4. */
export const placesOf = (byte: number): number =>
  (byte & IN_NAME ? 1 : 0) | (byte & IN_DESCRIPTION ? 2 : 0) | (byte & IN_VALUES ? 4 : 0)
const IN_NAME = placesMask({ name: true, description: false, values: false })
const IN_DESCRIPTION = placesMask({ name: false, description: true, values: false })
const IN_VALUES = placesMask({ name: false, description: false, values: true })
/** By the byte of counts. */
const PLACES_OF = Uint8Array.from({ length: 256 }, (_, byte) => placesOf(byte))

/** In which places a document has the word, by its place in the postings. */
export function placesAt(postings: Postings, at: number): number {
  if (postings.bytes) return PLACES_OF[postings.bytes[at]!]!
  const [name, description, values] = postings.sums
  return (name[at] ? 1 : 0) | (description[at] ? 2 : 0) | (values[at] ? 4 : 0)
}

interface KnownHaving {
  gone: Uint8Array | undefined
  /** By the places that are asked for. */
  having: (number | undefined)[]
}

/** How many had a word when its part was read: counted once for as long as the word and the part are kept. */
const havings = new WeakMap<Postings, KnownHaving>()

function countHaving(postings: Postings, { gone_before, gone_since }: Section, mask: number): number {
  const wanted = placesOf(mask)
  let known = havings.get(postings)
  if (!known || known.gone !== gone_before) havings.set(postings, (known = { gone: gone_before, having: [] }))
  let having = (known.having[wanted] ??= countAll(postings, gone_before, wanted))
  for (const document of gone_since) {
    const at = firstPlace(postings.documents, document)
    if (postings.documents[at] === document && placesAt(postings, at) & wanted) having--
  }
  return having
}

function countAll(postings: Postings, gone: Uint8Array | undefined, wanted: number): number {
  const { combinations, documents } = postings
  let having = 0
  for (let places = 1; places < combinations.length; places++)
    if (places & wanted) having += combinations[places]!
  if (!gone || !having) return having
  for (let at = 0; at < documents.length; at++)
    if (hasBit(gone, documents[at]!) && placesAt(postings, at) & wanted) having--
  return having
}

/** Where a document is among others in their order, or would be; not before `low`. */
export function firstPlace(documents: Uint16Array | Uint32Array, document: number, low = 0): number {
  let high = documents.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (documents[middle]! < document) low = middle + 1
    else high = middle
  }
  return low
}

const documentsOfBlock = new Uint16Array(PART)
const bytesOfBlock = new Uint8Array(PART)

/** `size`: documents of the part. What blocks have behind these is being entered, or was left by who was to enter it. */
function postingsOfBlocks(
  rows: readonly BlockRow[],
  itself: ReadonlySet<string>,
  size: number,
): Postings | undefined {
  const [only] = rows
  if (!only) return undefined
  const weightOf = ({ word }: BlockRow) => (itself.has(word) ? ITSELF : ALIKE)
  if (rows.length === 1) {
    const n = readUpTo(size, only.data)
    if (!n) return undefined
    const bytes = bytesOfBlock.slice(0, n)
    const combinations = new Uint32Array(8)
    for (let i = 0; i < n; i++) combinations[placesOf(bytes[i]!)]!++
    return { documents: documentsOfBlock.slice(0, n), bytes, weight: weightOf(only), combinations }
  }
  const hits = new Hits()
  for (const row of rows) {
    const n = readUpTo(size, row.data)
    const weight = weightOf(row)
    for (let i = 0; i < n; i++) hits.add(documentsOfBlock[i]!, bytesOfBlock[i]!, weight)
  }
  return hits.postings(PART)
}

/** Into the arrays; how many postings of the part's documents the block has. */
function readUpTo(size: number, block: Uint8Array): number {
  let n = readPostings(block, documentsOfBlock, bytesOfBlock)
  while (n && documentsOfBlock[n - 1]! >= size) n--
  return n
}

/** Where fewer than one of so many documents has a word, these are put in order, and else looked for among all. */
const FEW = 32

/** Puts together what documents have of words that begin alike. */
class Hits {
  private readonly documents: number[] = []
  private readonly bytes: number[] = []
  private readonly weights: number[] = []

  add(document: number, byte: number, weight: number): void {
    this.documents.push(document)
    this.bytes.push(byte)
    this.weights.push(weight)
  }

  /** `size`: of how many documents. */
  postings(size: number): Postings | undefined {
    const { length } = this.documents
    if (!length) return undefined
    const documents =
      length * FEW < size ? Uint32Array.from(new Set(this.documents)).sort() : marked(this.documents, size)
    const all = () => new Uint32Array(documents.length)
    const [name, description, values] = [all(), all(), all()] as const
    for (let i = 0; i < length; i++) {
      const at = firstPlace(documents, this.documents[i]!)
      const byte = this.bytes[i]!
      const times = TIMES[this.weights[i]!]!
      name[at]! += times.name[byte]!
      description[at]! += times.description[byte]!
      values[at]! += times.values[byte]!
    }
    const combinations = new Uint32Array(8)
    const postings = { documents, sums: [name, description, values] as const, combinations }
    for (let at = 0; at < documents.length; at++) combinations[placesAt(postings, at)]!++
    return postings
  }
}

/** Each once, in their order. */
function marked(documents: readonly number[], size: number): Uint32Array {
  const marks = new Uint8Array(size)
  for (const each of documents) marks[each] = 1
  const found = new Uint32Array(size)
  let n = 0
  for (let at = 0; at < size; at++) if (marks[at]) found[n++] = at
  return found.slice(0, n)
}

/** What an item that waits has of a word. */
interface Waiting {
  document: number
  byte: number
}

/** What waits, by its words: made where many words are asked for. */
interface WaitingWords {
  asked: number
  /** In their order. */
  keys?: string[]
  hits?: ReadonlyMap<string, readonly Waiting[]>
}

const waitingWords = new WeakMap<WordIndex, WaitingWords>()
/** As many words cost more to look for in each item that waits than all of their words cost to put in order. */
const MANY_WORDS = 64

function postingsOfWaiting(index: WordIndex, { stems, keys }: SoughtStems): Postings | undefined {
  let known = waitingWords.get(index)
  if (!known) waitingWords.set(index, (known = { asked: 0 }))
  if (++known.asked > MANY_WORDS && !known.keys) Object.assign(known, byWord(index.waiting))
  const itself = new Set(keys)
  const hits = new Hits()
  const take = (key: string, { document, byte }: Waiting) =>
    hits.add(document, byte, itself.has(key) ? ITSELF : ALIKE)
  for (const stem of stems)
    if (known.keys)
      for (const at of placesOfStem(known.keys, stem))
        for (const each of known.hits!.get(known.keys[at]!)!) take(known.keys[at]!, each)
    else
      for (const [document, own] of index.waiting.entries())
        for (const at of placesOfStem(own.keys, stem))
          take(own.keys[at]!, { document, byte: own.counts[at]! })
  return hits.postings(index.waiting.length)
}

function byWord(waiting: readonly ItemWords[]): Required<Pick<WaitingWords, 'keys' | 'hits'>> {
  const hits = new Map<string, Waiting[]>()
  for (const [document, { keys, counts }] of waiting.entries())
    for (const [at, key] of keys.entries()) {
      const own = hits.get(key)
      if (own) own.push({ document, byte: counts[at]! })
      else hits.set(key, [{ document, byte: counts[at]! }])
    }
  return { keys: [...hits.keys()].toSorted((a, b) => (a < b ? -1 : 1)), hits }
}

/** Where the keys of words with this stem are in a list in order. */
function placesOfStem(keys: readonly string[], stem: string): readonly number[] {
  const first = firstFrom(keys, stem)
  if (!keys[first]?.startsWith(stem)) return []
  if (!isOpen(stem)) return keys[first] === stem ? [first] : []
  const places: number[] = []
  for (let at = first; at < keys.length && keys[at]! < stem + BEHIND_GAP; at++) places.push(at)
  return places
}

/** Where a key is in a list in order, or would be. */
export function firstFrom(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}
