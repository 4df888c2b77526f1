import { sql } from 'kysely'
import { foldForSearch } from '#src/domain/search-text.ts'
import { wordsIn } from '#src/domain/words.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { type Db, query } from '#src/sql/query.ts'
import { textPieces } from '#src/storage/items/text-pieces.ts'
import { textFields } from '#src/storage/tags/text-fields.ts'
import { encodeCounts, type PlaceCounts } from '#src/storage/words/counts.ts'

/** More words than these in one place are as many. */
const MOST_WORDS = 65_535

/** The words of an item, and what its score is computed from besides them. */
export interface ItemWords {
  /** Characters of its name, as it was given. */
  readonly name_length: number
  /** Words in the name, the description and the values. */
  readonly lengths: readonly [name: number, description: number, values: number]
  /** As the index names words, in order. */
  readonly keys: readonly string[]
  /** Of each key, as `encodeCounts` makes it. */
  readonly counts: Uint8Array
}

export interface WordTexts {
  name_length: number
  /** Folded. */
  name: string
  description: string | null
  /** As they are. */
  values: readonly string[]
}

/** The words of an item by its texts. */
export function wordsOfTexts({ name_length, name, description, values }: WordTexts): ItemWords {
  const found = new Map<string, PlaceCounts>()
  const add = (text: string, place: keyof PlaceCounts) => {
    const { keys, count } = wordsIn(text)
    for (const key of keys) {
      let counts = found.get(key)
      if (!counts) found.set(key, (counts = { name: 0, description: 0, values: 0 }))
      counts[place]++
    }
    return count
  }
  const ofName = add(name, 'name')
  const ofDescription = description === null ? 0 : add(description, 'description')
  let ofValues = 0
  for (const value of values) ofValues += add(foldForSearch(value), 'values')
  const keys = [...found.keys()].toSorted(byCodeUnit)
  return {
    name_length: Math.min(name_length, MOST_WORDS),
    lengths: [atMost(ofName), atMost(ofDescription), atMost(ofValues)],
    keys,
    counts: Uint8Array.from(keys, (key) => encodeCounts(found.get(key)!)),
  }
}

const atMost = (words: number): number => Math.min(words, MOST_WORDS)
const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : 1)

const texts = query((p: { ids: string }, db, { integers }) =>
  db
    .selectFrom('item_text as t')
    .innerJoin('item as i', 'i.id', 't.id')
    .select(['t.id', 't.name', 't.description', sql<number>`length(i.name)`.as('name_length')])
    .where('t.id', 'in', integers(p.ids)),
)

/** The words of living items (row ids), by row id. Of long texts and values few are read at once. */
export async function wordsOfItems(db: Db, ids: readonly number[]): Promise<Map<number, ItemWords>> {
  const found = new Map<number, ItemWords>()
  for (const some of await textPieces(db, 'item_text', ids)) {
    const rows = await db.all(texts, { ids: JSON.stringify(some) })
    const values = await valuesOf(db, some)
    for (const { id, ...row } of rows) found.set(id, wordsOfTexts({ ...row, values: values.get(id) ?? [] }))
  }
  return found
}

/** String values and names of variants, by row id. */
async function valuesOf(db: Db, ids: readonly number[]): Promise<Map<number, string[]>> {
  const fields = await textFields(db)
  const found = new Map<number, string[]>()
  if (!fields.length) return found
  const { filter, builder } = db.dialect
  const text = filter.value('v', 'full_text')
  const rows = sql<{
    item: number
    text: unknown
  }>`select v.item, ${text} as text from ${FIELD_VALUE} v where v.item in ${db.dialect.integers(JSON.stringify(ids))} and ${filter.isOneOf(sql`v.field`, fields, 'row_id')}`
  for (const row of await db.select<{ item: number; text: unknown }>(rows.compile(builder)))
    if (typeof row.text === 'string')
      (found.get(row.item) ?? found.set(row.item, []).get(row.item)!).push(row.text)
  return found
}
