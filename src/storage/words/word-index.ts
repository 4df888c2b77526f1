import { type Db, query } from '#src/sql/query.ts'
import { wholeOf } from '#src/storage/sight/sight.ts'
import { type ItemWords, wordsOfItems } from '#src/storage/words/item-words.ts'
import {
  type Documents,
  DOCUMENTS,
  emptyBits,
  GONE,
  hasBit,
  PART,
  partData,
  partOf,
  type PartRow,
  partRows,
  readDocuments,
  setBit,
} from '#src/storage/words/parts.ts'
import { FINE, type Weights } from '#src/storage/words/score.ts'

/** Items of the index that are looked at together: a part, or those that wait to be entered. */
export interface Section {
  readonly documents: Documents
  readonly size: number
  /** Bits of the documents that are not what their items are any more. */
  readonly gone: Uint8Array | undefined
  /** Those of them that were so when the part was read. */
  readonly gone_before: Uint8Array | undefined
  /** And those that are so by what waits. */
  readonly gone_since: readonly number[]
  /** Undefined of what waits. */
  readonly part: number | undefined
  /** Of the part: what was read of another is not what it has now. */
  readonly version: number
}

/** The word index as the snapshot of one call has it. */
export interface WordIndex {
  readonly sections: readonly Section[]
  /** The words of the last section's items. */
  readonly waiting: readonly ItemWords[]
  readonly weights: Weights
  /** Items whose words are still to be read, where these were too many. */
  readonly left: number
}

/** More items than these are not read for a page: it would take about a second. */
const MOST_READ = 20_000
/** Items whose texts are read at once. */
const CHUNK = 500

/** Of these items alone. */
export function indexOfItems(words: ReadonlyMap<number, ItemWords>): WordIndex {
  const waiting = Array.from(words, ([item, own]) => ({ item, document: null, words: own }))
  return { ...joined([], waiting), left: 0 }
}

interface KeptPart {
  row: PartRow
  documents: Documents
  gone: Uint8Array | undefined
  sums: Sums
}

interface KeptWords {
  seq: number
  words: ItemWords | undefined
}

/** What connections that see only what is committed keep between calls. */
interface Memory {
  parts: Map<number, KeptPart>
  waiting: Map<number, KeptWords>
  /** As a call last had it, and of which state. */
  index?: { state: string; index: WordIndex }
}

const CACHE_KEY = 'word index'

function memoryOf(db: Db): Memory {
  const kept = db.committed?.get(CACHE_KEY) as Memory | undefined
  if (kept) return kept
  const memory = { parts: new Map(), waiting: new Map() }
  db.committed?.set(CACHE_KEY, memory)
  return memory
}

/** `whole`: what waits is read however much it is. */
export async function readWordIndex(given: Db, { whole = false } = {}): Promise<WordIndex> {
  // What is remembered is the same for all.
  const db = wholeOf(given)
  const memory = memoryOf(db)
  const rows = await partRows(db)
  const state = JSON.stringify([rows.map(({ part, version }) => [part, version]), await db.get(bounds, {})])
  const known = memory.index
  if (known?.state === state && (!known.index.left || !whole)) return known.index
  const parts: KeptPart[] = []
  for (const row of rows) parts.push(await readPart(db, memory, row))
  forgetOthers(memory.parts, new Set(rows.map(({ part }) => part)))
  const { waiting, left } = await readWaiting(db, memory, whole)
  const index = { ...joined(parts, waiting), left }
  memory.index = { state, index }
  return index
}

/** What waits comes in at the end, and is entered from the beginning. */
const bounds = query((_: object, db) =>
  db.selectFrom('word_pending').select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last')]),
)

async function readPart(db: Db, memory: Memory, row: PartRow): Promise<KeptPart> {
  const { part } = row
  const known = memory.parts.get(part)
  if (known?.row.version === row.version) return known
  const documents =
    known?.row.documents === row.documents
      ? known.documents
      : readDocuments((await partData(db, part, DOCUMENTS))!)
  const gone = row.gone ? await partData(db, part, GONE) : undefined
  const found = { row, documents, gone, sums: sumsOf(documents, gone) }
  // Another call may see an older state of it, and that one is read again.
  if (!known || known.row.version < row.version) memory.parts.set(part, found)
  return found
}

function forgetOthers(kept: Map<number, unknown>, stay: ReadonlySet<number>): void {
  if (kept.size > stay.size) for (const key of kept.keys()) if (!stay.has(key)) kept.delete(key)
}

interface Waiting {
  item: number
  /** What the index has it as, which does not count. */
  document: number | null
  words: ItemWords | undefined
}

const waitingRows = query((_: object, db) =>
  db
    .selectFrom('word_pending as p')
    .leftJoin('word_item as w', 'w.item', 'p.item')
    .select(['p.seq', 'p.item', 'w.document'])
    .orderBy('p.seq'),
)

async function readWaiting(
  db: Db,
  memory: Memory,
  whole: boolean,
): Promise<{ waiting: Waiting[]; left: number }> {
  const rows = new Map((await db.all(waitingRows, {})).map((row) => [row.item, row]))
  const unread = [...rows.values()].filter(({ item, seq }) => memory.waiting.get(item)?.seq !== seq)
  const tooMany = !whole && unread.length > MOST_READ
  const read = tooMany ? [] : unread
  const own = new Map<number, ItemWords>()
  for (let at = 0; at < read.length; at += CHUNK) {
    const ids = read.slice(at, at + CHUNK).map(({ item }) => item)
    for (const [item, words] of await wordsOfItems(db, ids)) own.set(item, words)
  }
  for (const { item, seq } of read) {
    const kept = memory.waiting.get(item)
    if (!kept || kept.seq < seq) memory.waiting.set(item, { seq, words: own.get(item) })
  }
  const skipped = tooMany ? new Set(unread.map(({ item }) => item)) : undefined
  const waiting = [...rows.values()].flatMap(({ item, seq, document }) => {
    if (skipped?.has(item)) return []
    const kept = memory.waiting.get(item)
    return { item, document, words: kept?.seq === seq ? kept.words : own.get(item) }
  })
  forgetOthers(memory.waiting, new Set(rows.keys()))
  return { waiting, left: tooMany ? unread.length : 0 }
}

function joined(parts: readonly KeptPart[], waiting: readonly Waiting[]): Omit<WordIndex, 'left'> {
  const outdated = new Map<number, { bits: Uint8Array; documents: number[] }>()
  const sums = parts.reduce((sum, each) => addSums(sum, each.sums), NO_SUMS)
  const byPart = new Map(parts.map((each) => [each.row.part, each]))
  let total = sums
  for (const { document } of waiting) {
    if (document === null) continue
    const part = byPart.get(partOf(document))
    const at = document % PART
    if (!part || (part.gone && hasBit(part.gone, at))) continue
    const { part: number } = part.row
    const own = outdated.get(number) ?? {
      bits: part.gone ? new Uint8Array(part.gone) : emptyBits(),
      documents: [],
    }
    outdated.set(number, own)
    if (hasBit(own.bits, at)) continue
    setBit(own.bits, at)
    own.documents.push(at)
    total = addSums(total, sumsAt(part.documents, at), -1)
  }
  const living = waiting.filter((each) => each.words !== undefined)
  const own = living.map(({ words }) => words!)
  const documents = documentsOf(living)
  total = addSums(total, sumsOf(documents, undefined))
  return {
    sections: [
      ...parts.map((each) => sectionOf(each, outdated.get(each.row.part))),
      { documents, size: own.length, ...NONE_GONE, part: undefined, version: 0 },
    ],
    waiting: own,
    weights: weightsOf(total),
  }
}

const NONE_GONE = { gone: undefined, gone_before: undefined, gone_since: [] }

function sectionOf(
  { row, documents, gone }: KeptPart,
  since: { bits: Uint8Array; documents: number[] } | undefined,
): Section {
  const { part, version } = row
  return {
    documents,
    size: row.documents,
    gone: since?.bits ?? gone,
    gone_before: gone,
    gone_since: since?.documents ?? [],
    part,
    version,
  }
}

function documentsOf(waiting: readonly Waiting[]): Documents {
  const place = (at: 0 | 1 | 2) => Uint16Array.from(waiting, ({ words }) => words!.lengths[at])
  return {
    items: Float64Array.from(waiting, ({ item }) => item),
    name_lengths: Uint16Array.from(waiting, ({ words }) => words!.name_length),
    lengths: [place(0), place(1), place(2)],
  }
}

/** Of some items: how many they are, and for each place how many have words there, and how many words. */
interface Sums {
  items: number
  having: readonly [number, number, number]
  words: readonly [number, number, number]
}

const NO_SUMS: Sums = { items: 0, having: [0, 0, 0], words: [0, 0, 0] }

function addSums(a: Sums, b: Sums, times = 1): Sums {
  const add = (one: Sums['words'], other: Sums['words']) =>
    one.map((each, i) => each + times * other[i]!) as unknown as Sums['words']
  return { items: a.items + times * b.items, having: add(a.having, b.having), words: add(a.words, b.words) }
}

function sumsAt({ lengths }: Documents, at: number): Sums {
  const words = lengths.map((each) => each[at]!) as unknown as Sums['words']
  return { items: 1, having: words.map((each) => (each ? 1 : 0)) as unknown as Sums['having'], words }
}

function sumsOf({ items, lengths }: Documents, gone: Uint8Array | undefined): Sums {
  const [having, words] = [
    [0, 0, 0],
    [0, 0, 0],
  ] as [[number, number, number], [number, number, number]]
  let living = 0
  for (let at = 0; at < items.length; at++) {
    if (gone && hasBit(gone, at)) continue
    living++
    for (const place of [0, 1, 2] as const) {
      const length = lengths[place][at]!
      words[place] += length
      if (length) having[place]++
    }
  }
  return { items: living, having, words }
}

function weightsOf({ items, having, words }: Sums): Weights {
  const average = (place: 0 | 1 | 2) => Math.floor((FINE * words[place]) / Math.max(1, having[place]))
  return { items, averages: [average(0), average(1), average(2)] }
}
