import { sql } from 'kysely'
import { type Db, query } from '#src/sql/query.ts'
import { textBytes } from '#src/storage/items/text-pieces.ts'
import { type ItemWords, wordsOfItems } from '#src/storage/words/item-words.ts'
import { type NewDocument, PART, partRows } from '#src/storage/words/parts.ts'
import { blockOf, type Posting } from '#src/storage/words/posting-block.ts'

/** Changes whose words are entered together. */
const MOST = 2048
/** Items whose words are read at once; with more words than these, no others come along. */
const [AT_ONCE, MANY_WORDS] = [16, 500_000]
/** Rows of words that one transaction writes, in which others' changes wait. */
const ROWS = 1000

const waiting = query((p: { limit: number }, db) =>
  db.selectFrom('word_pending').select(['seq', 'item']).orderBy('seq').limit(p.limit),
)
const waitingCount = query((p: { most: number }, db) =>
  db
    .selectFrom(db.selectFrom('word_pending').select('seq').limit(p.most).as('w'))
    .select(({ fn }) => fn.countAll<number>().as('n')),
)

const waitingBytes = query((_: object, db) =>
  db
    .selectFrom('item_text')
    .select(sql<number>`coalesce(sum(${textBytes('item_text')}), 0)`.as('n'))
    .where('id', 'in', db.selectFrom('word_pending').select('item').orderBy('seq').limit(MOST)),
)

/** How many changes wait to be entered, counted up to a number. */
export const countWaiting = async (db: Db, most: number): Promise<number> =>
  (await db.get(waitingCount, { most }))!.n

/** Bytes of the texts and values that wait to be entered, of as many changes as are entered together. */
export const sizeOfWaiting = async (db: Db): Promise<number> => (await db.get(waitingBytes, {}))!.n

/** Where the next documents are entered, and which: what the steps that enter them have in common. */
export interface WordPlace {
  part: number
  /** The place of the first in the part. */
  first: number
  /** How many they are. */
  count: number
}

/** What is entered next, as worked out by a reader. */
export interface WordPlan extends WordPlace {
  /** How many changes these are, and the last of them. */
  changes: number
  last: number
  documents: readonly NewDocument[]
  /** Items (row ids) that have no words any more, because they were deleted. */
  without: readonly number[]
  /** Words with their blocks, some rows of `word_block` each: as JSON, so that nobody on their way reads them. */
  slices: readonly string[]
}

/**
 * Reads the words of some of the items that wait; undefined where none does. To enter them takes a transaction for
 * each slice (`enterSlice`) and one at the end (`finishEntering`).
 */
export async function planWords(
  db: Db,
  { most = MOST, rows: rowsAtOnce = ROWS } = {},
): Promise<WordPlan | undefined> {
  const newest = (await partRows(db)).at(-1)
  const isFull = newest?.documents === PART
  const part = newest ? newest.part + Number(isFull) : 0
  const first = !newest || isFull ? 0 : newest.documents
  const rows = await db.all(waiting, { limit: Math.min(most, PART - first) })
  if (!rows.length) return undefined
  const words = new Map<number, ItemWords>()
  let [changes, counted] = [0, 0]
  while (changes < rows.length && counted < MANY_WORDS) {
    const some = rows.slice(changes, changes + AT_ONCE)
    changes += some.length
    for (const [item, own] of await wordsOfItems(db, [...new Set(some.map((row) => row.item))])) {
      words.set(item, own)
      for (const length of own.lengths) counted += length
    }
  }
  const items = [...words].toSorted(([a], [b]) => a - b)
  return {
    part,
    first,
    count: items.length,
    changes,
    last: rows[changes - 1]!.seq,
    without: [...new Set(rows.slice(0, changes).map(({ item }) => item))].filter((item) => !words.has(item)),
    documents: items.map(([item, { name_length, lengths }]) => ({ item, name_length, lengths })),
    slices: slicesOf(
      first,
      items.map(([, own]) => own),
      rowsAtOnce,
    ),
  }
}

/** In the order of the table: its pages are found in memory. */
function slicesOf(first: number, items: readonly ItemWords[], rows: number): string[] {
  const postings = new Map<string, Posting[]>()
  for (const [i, { keys, counts }] of items.entries())
    for (const [at, key] of keys.entries()) {
      const posting = { document: first + i, counts: counts[at]! }
      const list = postings.get(key)
      if (list) list.push(posting)
      else postings.set(key, [posting])
    }
  const words = [...postings.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  return Array.from({ length: Math.ceil(words.length / rows) }, (_, at) => {
    const some = words.slice(at * rows, (at + 1) * rows)
    return JSON.stringify(some.map((word) => [word, blockOf(postings.get(word)!).toString('base64')]))
  })
}
