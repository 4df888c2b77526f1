import { BEHIND_GAP, isOpen, type SoughtWord } from '#src/domain/words.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { ItemWords } from '#src/storage/words/item-words.ts'
import { hasBit, PART } from '#src/storage/words/parts.ts'
import { readPostings } from '#src/storage/words/posting-block.ts'
import { ALIKE, ITSELF, TIMES } from '#src/storage/words/score.ts'
import type { Section, WordIndex } from '#src/storage/words/word-index.ts'

/** The living documents of a section that have a word in the places that are asked for. */
export type SectionHits =
  | {
      readonly documents: Uint16Array
      /** How often each has the word. */
      readonly bytes: Uint8Array
      /** What each occurrence weighs. */
      readonly weight: number
    }
  | {
      readonly documents: Uint32Array
      readonly bytes?: undefined
      /** By place: the sum of what the occurrences weigh. */
      readonly sums: readonly [name: Uint32Array, description: Uint32Array, values: Uint32Array]
    }

/** By section. */
export interface WordHits {
  readonly sections: readonly (SectionHits | undefined)[]
  /** How many items. */
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
const blocks = query((p: { stem: string; end: string }, db) =>
  db
    .selectFrom('word_part as p')
    .crossJoin('word_block as b')
    .select(['b.part', 'b.word', 'b.data'])
    .whereRef('b.part', '=', 'p.part')
    .where('b.word', '>=', p.stem)
    .where('b.word', '<', p.end),
)

/** Where a word occurs; `mask` leaves the places that are asked for. */
export async function findWord(
  db: Db,
  index: WordIndex,
  { stems, keys }: SoughtStems,
  mask: number,
): Promise<WordHits> {
  const rows: BlockRow[] = []
  for (const stem of stems) rows.push(...(await db.all(blocks, { stem, end: stem + BEHIND_GAP })))
  const byPart = Map.groupBy(rows, ({ part }) => part)
  const itself = new Set(keys)
  let having = 0
  const sections = index.sections.map((section) => {
    const gatherer = new Gatherer(section, mask)
    if (section.part === undefined) gatherWaiting(gatherer, index.waiting, stems, itself)
    else
      for (const row of byPart.get(section.part) ?? [])
        gatherer.addBlock(row.data, itself.has(row.word) ? ITSELF : ALIKE)
    const hits = gatherer.hits()
    having += hits?.documents.length ?? 0
    return hits
  })
  return { sections, having }
}

const documentsOfBlock = new Uint16Array(PART)
const bytesOfBlock = new Uint8Array(PART)

type Sums = [name: number, description: number, values: number]

/** Puts together what a section has of words that begin alike. */
class Gatherer {
  private readonly section: Section
  private readonly mask: number
  /** What came as one block, which mostly is all, in its order. */
  private single: Extract<SectionHits, { bytes: Uint8Array }> | undefined
  private many: Map<number, Sums> | undefined

  constructor(section: Section, mask: number) {
    this.section = section
    this.mask = mask
  }

  addBlock(block: Uint8Array, weight: number): void {
    const read = this.readBlock(block, weight)
    if (!read.documents.length) return
    if (!this.single && !this.many) {
      this.single = read
      return
    }
    const { documents, bytes } = read
    for (let i = 0; i < documents.length; i++) this.add(documents[i]!, bytes[i]!, weight)
  }

  private readBlock(block: Uint8Array, weight: number): Extract<SectionHits, { bytes: Uint8Array }> {
    const { section, mask } = this
    const { gone, size } = section
    const read = readPostings(block, documentsOfBlock, bytesOfBlock)
    let n = 0
    for (let i = 0; i < read; i++) {
      const byte = bytesOfBlock[i]! & mask
      const document = documentsOfBlock[i]!
      if (!byte || document >= size || (gone && hasBit(gone, document))) continue
      documentsOfBlock[n] = document
      bytesOfBlock[n++] = byte
    }
    return { documents: documentsOfBlock.slice(0, n), bytes: bytesOfBlock.slice(0, n), weight }
  }

  /** Adds what a document has of a word. */
  add(document: number, byte: number, weight: number): void {
    const left = byte & this.mask
    if (!left) return
    const many = (this.many ??= this.spread())
    let sums = many.get(document)
    if (!sums) many.set(document, (sums = [0, 0, 0]))
    const times = TIMES[weight]!
    sums[0] += times.name[left]!
    sums[1] += times.description[left]!
    sums[2] += times.values[left]!
  }

  private spread(): Map<number, Sums> {
    const { single } = this
    this.many = new Map()
    this.single = undefined
    if (single)
      for (let i = 0; i < single.documents.length; i++)
        this.add(single.documents[i]!, single.bytes[i]!, single.weight)
    return this.many
  }

  hits(): SectionHits | undefined {
    if (this.single) return this.single
    if (!this.many?.size) return undefined
    const all = [...this.many]
    const of = (place: 0 | 1 | 2) => Uint32Array.from(all, ([, sums]) => sums[place])
    return { documents: Uint32Array.from(all, ([document]) => document), sums: [of(0), of(1), of(2)] }
  }
}

function gatherWaiting(
  gatherer: Gatherer,
  waiting: readonly ItemWords[],
  stems: readonly string[],
  itself: ReadonlySet<string>,
): void {
  for (const stem of stems) {
    const open = isOpen(stem)
    const end = stem + BEHIND_GAP
    for (const [document, { keys, counts }] of waiting.entries())
      for (let at = firstFrom(keys, stem); at < keys.length; at++) {
        const key = keys[at]!
        if (open ? key >= end : key !== stem) break
        gatherer.add(document, counts[at]!, itself.has(key) ? ITSELF : ALIKE)
      }
  }
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
