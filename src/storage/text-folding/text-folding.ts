import { sql } from 'kysely'
import { type Db, query } from '#src/sql/query.ts'
import { textRow, writeTexts } from '#src/storage/items/items.ts'

/** Row ids of items whose texts for search may be folded as older versions did: after `done`, up to `last`. */
export interface Unfolded {
  done: number
  last: number
}

/** Items that are read at once, and bytes of their texts. */
const PAGE = 1000
const PAGE_BYTES = 4 * 2 ** 20
/** Items that are written in one transaction: others' changes wait meanwhile. */
const MOST_WRITTEN = 200

const state = query((_: object, db) => db.selectFrom('text_folding').select(['done', 'last']))
const clear = query((_: object, db) => db.deleteFrom('text_folding'))
const advance = query((p: { done: number }, db) => db.updateTable('text_folding').set({ done: p.done }))

const CACHE_KEY = 'texts are folded'

/** Undefined where all are folded as they should be, which is remembered: only an upgrade leaves something to do. */
export async function unfolded(db: Db): Promise<Unfolded | undefined> {
  // Where what is read may be rolled back, it is remembered no longer than that.
  const kept = db.committed ? db.hints : db.cache
  if (kept.has(CACHE_KEY)) return undefined
  const found = await db.get(state, {})
  if (!found) kept.set(CACHE_KEY, true)
  return found
}

export interface StoredTexts {
  id: number
  name: string
  description: string | null
}

/** Living items among the unfolded ones, at least one unless there is none. */
export async function unfoldedAfter(db: Db, { done, last }: Unfolded): Promise<StoredTexts[]> {
  const page = sql`select i.id, i.name, i.description from item i where i.id > ${done} and i.id <= ${last} and i.deleted_at is null order by i.id limit ${PAGE}`
  const size = sql`octet_length(p.name) + coalesce(octet_length(p.description), 0)`
  const before = sql`sum(${size}) over (order by p.id rows between unbounded preceding and 1 preceding)`
  const rows = sql<StoredTexts>`select s.id, s.name, s.description from (select p.*, ${before} as before from (${page}) p) s where coalesce(s.before, 0) < ${PAGE_BYTES} order by s.id`
  return db.select(rows.compile(db.dialect.builder))
}

const foldedTexts = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('item_text').select(['id', 'name', 'description']).where('id', 'in', integers(p.ids)),
)

/** Folds some of them; how many row ids are left. What was done before the process ended stays done. */
export async function foldSome(db: Db): Promise<number> {
  const left = await db.get(state, {})
  if (!left) return 0
  const texts = await unfoldedAfter(db, left)
  const ids = JSON.stringify(texts.map(({ id }) => id))
  const known = new Map((await db.all(foldedTexts, { ids })).map((row) => [row.id, row]))
  let written = 0
  let done = left.last
  for (const [i, item] of texts.entries()) {
    const folded = textRow(item)
    const [, name, description] = folded
    const before = known.get(item.id)
    if (before && (before.name !== name || before.description !== description)) {
      await writeTexts(db, folded)
      written++
    }
    done = item.id
    if (written >= MOST_WRITTEN && i < texts.length - 1) break
  }
  if (!texts.length || done >= left.last) await db.enqueue(clear, {})
  else await db.enqueue(advance, { done })
  return texts.length ? left.last - done : 0
}
