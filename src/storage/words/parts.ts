import { type Db, query } from '#src/sql/query.ts'

/** Documents of a part. A document is an item as it was when the index took it in; it gets a new one with each change. */
export const PART = 32_768
export const partOf = (document: number): number => Math.floor(document / PART)

/** What `word_part_data` has of a part. */
export const DOCUMENTS = 0
export const GONE = 1

export interface PartRow {
  part: number
  documents: number
  /** How many of them are not what their item is any more. */
  gone: number
  /** Moves with every change. */
  version: number
  /** What purged items have left is being removed, word by word, and this one was the last; null where nothing is. */
  cleared: string | null
}

const parts = query((_: object, db) =>
  db.selectFrom('word_part').select(['part', 'documents', 'gone', 'version', 'cleared']).orderBy('part'),
)

export const partRows = (db: Db): Promise<PartRow[]> => db.all(parts, {})

/** What is known of each document of a part, in their order. */
export interface Documents {
  /** Row ids of the items. */
  readonly items: Float64Array
  readonly name_lengths: Uint16Array
  /** Words in name, description and values. */
  readonly lengths: readonly [Uint16Array, Uint16Array, Uint16Array]
}

const ROW_ID_BYTES = 8
const NUMBER_BYTES = 2
/** The length of the name and the words in three places. */
const NUMBERS = 4
const BYTES = ROW_ID_BYTES + NUMBERS * NUMBER_BYTES

export function readDocuments(data: Uint8Array): Documents {
  const count = data.length / BYTES
  // What the engine answers need not begin where numbers may.
  const bytes = new Uint8Array(data).buffer
  const numbers = (index: number) =>
    new Uint16Array(bytes, count * (ROW_ID_BYTES + index * NUMBER_BYTES), count)
  return {
    items: new Float64Array(bytes, 0, count),
    name_lengths: numbers(0),
    lengths: [numbers(1), numbers(2), numbers(3)],
  }
}

export interface NewDocument {
  item: number
  name_length: number
  lengths: readonly [number, number, number]
}

/** The bytes of the documents with others behind them. */
export function writeDocuments(before: Documents | undefined, added: readonly NewDocument[]): Buffer {
  const known = before?.items.length ?? 0
  const bytes = Buffer.alloc((known + added.length) * BYTES)
  const all = readInPlace(bytes)
  if (before) {
    all.items.set(before.items)
    all.name_lengths.set(before.name_lengths)
    for (const [i, lengths] of before.lengths.entries()) all.lengths[i]!.set(lengths)
  }
  for (const [i, { item, name_length, lengths }] of added.entries()) {
    all.items[known + i] = item
    all.name_lengths[known + i] = name_length
    for (const [place, length] of lengths.entries()) all.lengths[place]![known + i] = length
  }
  return Buffer.from(all.items.buffer)
}

function readInPlace({ length }: Buffer): Documents {
  return readDocuments(new Uint8Array(length))
}

const data = query((p: { part: number; kind: number }, db) =>
  db.selectFrom('word_part_data').select('data').where('part', '=', p.part).where('kind', '=', p.kind),
)

/** Undefined where there is none. */
export const partData = async (db: Db, part: number, kind: number): Promise<Uint8Array | undefined> =>
  (await db.get(data, { part, kind }))?.data

export const writeData = query((p: { part: number; kind: number; data: Uint8Array }, db) =>
  db
    .insertInto('word_part_data')
    .values({ part: p.part, kind: p.kind, data: p.data })
    .onConflict((conflict) => conflict.columns(['part', 'kind']).doUpdateSet({ data: p.data })),
)

/** Of each document whether it is gone, as a bit. */
export const emptyBits = (): Uint8Array => new Uint8Array(PART / 8)
export const hasBit = (bits: Uint8Array, at: number): boolean => (bits[at >>> 3]! & (1 << (at & 7))) !== 0
export const setBit = (bits: Uint8Array, at: number): void => {
  bits[at >>> 3]! |= 1 << (at & 7)
}
