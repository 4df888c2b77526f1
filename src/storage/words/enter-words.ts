import { type Db, query } from '#src/sql/query.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type ItemWords, wordsOfItems } from '#src/storage/words/item-words.ts'
import {
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
  writeDocuments,
} from '#src/storage/words/parts.ts'
import { appendPostings, type Posting } from '#src/storage/words/posting-block.ts'

/** Items whose words are entered in one transaction: others' changes wait meanwhile. */
const MOST = 2048

const waiting = query((p: { limit: number }, db) =>
  db.selectFrom('word_pending').select(['seq', 'item']).orderBy('seq').limit(p.limit),
)
const waitingCount = query((p: { most: number }, db) =>
  db
    .selectFrom(db.selectFrom('word_pending').select('seq').limit(p.most).as('w'))
    .select(({ fn }) => fn.countAll<number>().as('n')),
)
const dropWaiting = query((p: { last: number }, db) =>
  db.deleteFrom('word_pending').where('seq', '<=', p.last),
)

/** How many changes wait to be entered, counted up to a number. */
export const countWaiting = async (db: Db, most: number): Promise<number> =>
  (await db.get(waitingCount, { most }))!.n

const known = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('word_item').select(['item', 'document']).where('item', 'in', integers(p.ids)),
)

/** Enters the words of some of the items that wait into the index; how many changes that were. */
export async function enterWords(db: Db, most = MOST): Promise<number> {
  const rows = await db.all(waiting, { limit: most })
  if (!rows.length) return 0
  const ids = [...new Set(rows.map(({ item }) => item))].toSorted((a, b) => a - b)
  const words = await wordsOfItems(db, ids)
  const parts = new Map((await partRows(db)).map((row) => [row.part, row]))
  const before = await db.all(known, { ids: JSON.stringify(ids) })
  await markGone(
    db,
    parts,
    before.map(({ document }) => document),
  )
  await addDocuments(db, parts, words)
  await db.enqueue(dropWaiting, { last: rows.at(-1)!.seq })
  return rows.length
}

const writePart = query((p: { part: number; documents: number; gone: number; version: number }, db) =>
  db
    .insertInto('word_part')
    .values({ part: p.part, documents: p.documents, gone: p.gone, version: p.version, cleared: null })
    .onConflict((conflict) =>
      conflict.column('part').doUpdateSet({ documents: p.documents, gone: p.gone, version: p.version }),
    ),
)
const writeData = query((p: { part: number; kind: number; data: Uint8Array }, db) =>
  db
    .insertInto('word_part_data')
    .values({ part: p.part, kind: p.kind, data: p.data })
    .onConflict((conflict) => conflict.columns(['part', 'kind']).doUpdateSet({ data: p.data })),
)

type Parts = Map<number, PartRow>

async function storePart(db: Db, parts: Parts, row: Omit<PartRow, 'version' | 'cleared'>): Promise<void> {
  const kept = parts.get(row.part)
  const next = { ...row, version: (kept?.version ?? 0) + 1, cleared: kept?.cleared ?? null }
  parts.set(row.part, next)
  await db.enqueue(writePart, next)
}

/** What the items were is not what they are any more. */
export async function markGone(db: Db, parts: Parts, documents: readonly number[]): Promise<void> {
  for (const [part, gone] of Map.groupBy(documents, partOf)) {
    const row = parts.get(part)
    if (!row) continue
    const before = await partData(db, part, GONE)
    const bits = before ? new Uint8Array(before) : emptyBits()
    let count = row.gone
    for (const document of gone) {
      if (hasBit(bits, document % PART)) continue
      setBit(bits, document % PART)
      count++
    }
    await db.enqueue(writeData, { part, kind: GONE, data: Buffer.from(bits) })
    await storePart(db, parts, { ...row, gone: count })
  }
}

const setDocuments = rowInserter('word_item', ['item', 'document'])
const forget = query((p: { ids: string }, db, { integers }) =>
  db.deleteFrom('word_item').where('item', 'in', integers(p.ids)),
)

async function addDocuments(db: Db, parts: Parts, words: ReadonlyMap<number, ItemWords>): Promise<void> {
  const items = [...words.keys()].toSorted((a, b) => a - b)
  await db.enqueue(forget, { ids: JSON.stringify(items) })
  for (let at = 0; at < items.length;) {
    const newest = [...parts.values()].at(-1)
    const row =
      newest && newest.documents < PART
        ? newest
        : { part: newest ? newest.part + 1 : 0, documents: 0, gone: 0 }
    const some = items.slice(at, at + PART - row.documents)
    await addToPart(db, parts, row, some, words)
    at += some.length
  }
}

async function addToPart(
  db: Db,
  parts: Parts,
  row: Omit<PartRow, 'version' | 'cleared'>,
  items: readonly number[],
  words: ReadonlyMap<number, ItemWords>,
): Promise<void> {
  const { part, documents: first } = row
  const before = await partData(db, part, DOCUMENTS)
  const added = items.map((item) => ({ item, ...words.get(item)! }))
  const data = writeDocuments(before && readDocuments(before), added)
  await db.enqueue(writeData, { part, kind: DOCUMENTS, data })
  await setDocuments(
    db,
    items.map((item, i) => [item, part * PART + first + i]),
  )
  const postings = new Map<string, Posting[]>()
  for (const [i, { keys, counts }] of added.entries())
    for (const [at, key] of keys.entries()) {
      const posting = { document: first + i, counts: counts[at]! }
      const list = postings.get(key)
      if (list) list.push(posting)
      else postings.set(key, [posting])
    }
  await appendToBlocks(db, part, postings)
  await storePart(db, parts, { ...row, documents: first + items.length })
}

/** Blocks that are read, and written, at once. */
const BLOCKS = 500

const blocks = query((p: { part: number; words: string }, db, { texts }) =>
  db
    .selectFrom('word_block')
    .select(['word', 'data'])
    .where('part', '=', p.part)
    .where('word', 'in', texts(p.words)),
)
const insertBlocks = rowInserter('word_block', ['part', 'word', 'data'])
const updateBlock = query((p: { part: number; word: string; data: Uint8Array }, db) =>
  db.updateTable('word_block').set({ data: p.data }).where('part', '=', p.part).where('word', '=', p.word),
)

async function appendToBlocks(
  db: Db,
  part: number,
  postings: ReadonlyMap<string, readonly Posting[]>,
): Promise<void> {
  // In the order of the table: its pages are found in memory.
  const words = [...postings.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  for (let at = 0; at < words.length; at += BLOCKS) {
    const some = words.slice(at, at + BLOCKS)
    const rows = await db.all(blocks, { part, words: JSON.stringify(some) })
    const before = new Map(rows.map(({ word, data }) => [word, data]))
    const added: unknown[][] = []
    for (const word of some) {
      const block = before.get(word)
      const data = appendPostings(block, postings.get(word)!)
      if (block) await db.enqueue(updateBlock, { part, word, data })
      else added.push([part, word, data])
    }
    await insertBlocks(db, added)
  }
}
