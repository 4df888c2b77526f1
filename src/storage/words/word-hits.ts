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
      section.part === undefined
        ? postingsOfWaiting(index.waiting, sought)
        : byPart.get(section.part)?.postings
    if (postings) having += countHaving(postings, section, mask)
    return postings
  })
  return { sections, having }
}

/** Where a word occurs in the parts as they were; undefined: nowhere there. */
type ByPart = ReadonlyMap<number, { readonly version: number; readonly postings: Postings | undefined }>

/** What connections that see only what is committed keep of words. */
const KEPT = 'postings of words'
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
  for (const [part, own] of Map.groupBy(rows, (row) => row.part))
    found.set(part, { version: found.get(part)!.version, postings: postingsOfBlocks(own, itself) })
  cache?.set(name, found, ENTRY_BYTES + bytesOf(found))
  return found
}

function cacheOf(db: Db): BoundedCache<ByPart> | undefined {
  let kept = db.committed?.get(KEPT) as BoundedCache<ByPart> | undefined
  if (!kept) db.committed?.set(KEPT, (kept = new BoundedCache(BOUNDS)))
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

function postingsOfBlocks(rows: readonly BlockRow[], itself: ReadonlySet<string>): Postings | undefined {
  const [only] = rows
  if (!only) return undefined
  const weightOf = ({ word }: BlockRow) => (itself.has(word) ? ITSELF : ALIKE)
  if (rows.length === 1) {
    const n = readPostings(only.data, documentsOfBlock, bytesOfBlock)
    const bytes = bytesOfBlock.slice(0, n)
    const combinations = new Uint32Array(8)
    for (let i = 0; i < n; i++) combinations[placesOf(bytes[i]!)]!++
    return { documents: documentsOfBlock.slice(0, n), bytes, weight: weightOf(only), combinations }
  }
  const gatherer = new Gatherer(PART)
  for (const row of rows) {
    const n = readPostings(row.data, documentsOfBlock, bytesOfBlock)
    const weight = weightOf(row)
    for (let i = 0; i < n; i++) gatherer.add(documentsOfBlock[i]!, bytesOfBlock[i]!, weight)
  }
  return gatherer.postings()
}

/** Puts together what documents have of words that begin alike. */
class Gatherer {
  private readonly sums: readonly [Uint32Array, Uint32Array, Uint32Array]

  constructor(size: number) {
    this.sums = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)]
  }

  /** Adds what a document has of a word. */
  add(document: number, byte: number, weight: number): void {
    const [name, description, values] = this.sums
    const times = TIMES[weight]!
    name[document]! += times.name[byte]!
    description[document]! += times.description[byte]!
    values[document]! += times.values[byte]!
  }

  postings(): Postings | undefined {
    const [name, description, values] = this.sums
    const having: number[] = []
    const combinations = new Uint32Array(8)
    for (let at = 0; at < name.length; at++) {
      const places = (name[at] ? 1 : 0) | (description[at] ? 2 : 0) | (values[at] ? 4 : 0)
      if (!places) continue
      combinations[places]!++
      having.push(at)
    }
    if (!having.length) return undefined
    const of = (sums: Uint32Array) => Uint32Array.from(having, (at) => sums[at]!)
    return {
      documents: Uint32Array.from(having),
      sums: [of(name), of(description), of(values)],
      combinations,
    }
  }
}

function postingsOfWaiting(
  waiting: readonly ItemWords[],
  { stems, keys: own }: SoughtStems,
): Postings | undefined {
  const itself = new Set(own)
  let gatherer: Gatherer | undefined
  for (const stem of stems) {
    const open = isOpen(stem)
    const end = stem + BEHIND_GAP
    for (const [document, { keys, counts }] of waiting.entries())
      for (let at = firstFrom(keys, stem); at < keys.length; at++) {
        const key = keys[at]!
        if (open ? key >= end : key !== stem) break
        gatherer ??= new Gatherer(waiting.length)
        gatherer.add(document, counts[at]!, itself.has(key) ? ITSELF : ALIKE)
      }
  }
  return gatherer?.postings()
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
