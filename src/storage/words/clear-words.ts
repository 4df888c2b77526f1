import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { purgedRows } from '#src/storage/items/deleted-items.ts'
import { forgetDocuments, markGone, setCleared, updateBlock } from '#src/storage/words/enter-words.ts'
import { markWords } from '#src/storage/words/mark-words.ts'
import {
  DOCUMENTS,
  GONE,
  hasBit,
  PART,
  partData,
  partOf,
  type PartRow,
  partRows,
  readDocuments,
} from '#src/storage/words/parts.ts'
import { keepPostings } from '#src/storage/words/posting-block.ts'

/** Words that are looked at, or dropped, in one transaction. */
const MOST = 4000

const documentsOf = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('word_item').select('document').where('item', 'in', integers(p.ids)),
)

/**
 * The words of items that have been purged are to leave the index too, a little at a time. What it has is read and
 * written together, by who has the writer: others take words in all the time.
 */
export async function purgeWords(db: Db, item_ids: readonly Ulid[]): Promise<void> {
  const list = JSON.stringify(await purgedRows(db, item_ids))
  const documents = (await db.all(documentsOf, { ids: list })).map(({ document }) => document)
  if (!documents.length) return
  await markGone(db, new Map((await partRows(db)).map((row) => [row.part, row])), documents)
  for (const part of new Set(documents.map(partOf))) await db.enqueue(setCleared, { part, cleared: '' })
  await db.enqueue(forgetDocuments, { ids: list })
}

const blocksAfter = query((p: { part: number; after: string; limit: number }, db) =>
  db
    .selectFrom('word_block')
    .select(['word', 'data'])
    .where('part', '=', p.part)
    .where('word', '>', p.after)
    .orderBy('word')
    .limit(p.limit),
)
const dropBlocks = query((p: { part: number; words: string }, db, { texts }) =>
  db.deleteFrom('word_block').where('part', '=', p.part).where('word', 'in', texts(p.words)),
)
const dropData = query((p: { part: number }, db) =>
  db.deleteFrom('word_part_data').where('part', '=', p.part),
)
const dropPart = query((p: { part: number }, db) => db.deleteFrom('word_part').where('part', '=', p.part))

/** Whether something is left to be cleared. */
export const needsClearing = async (db: Db): Promise<boolean> => (await nextPart(db)) !== undefined

/** Numbers of parts grow: the newest one stays. */
async function nextPart(db: Db): Promise<PartRow | undefined> {
  const rows = await partRows(db)
  return rows.slice(0, -1).find(isSparse) ?? rows.find(({ cleared }) => cleared !== null)
}

const isSparse = ({ documents, gone }: PartRow) => documents === PART && gone * 2 > PART
const isEmptied = ({ documents, gone }: PartRow) => gone === documents

/** The items of a part that are left go through the line once more, so that the part can be dropped. */
async function enterAgain(db: Db, part: number): Promise<void> {
  const { items } = readDocuments((await partData(db, part, DOCUMENTS))!)
  const gone = await partData(db, part, GONE)
  await markWords(
    db,
    [...items].filter((_, at) => !gone || !hasBit(gone, at)),
  )
}

/**
 * Removes some of what the index has of purged items, and of parts of which everything is gone; whether there is more.
 * To be called where nothing waits to be entered.
 */
export async function clearWords(db: Db, most = MOST): Promise<boolean> {
  const row = await nextPart(db)
  if (!row) return false
  const { part } = row
  const all = isEmptied(row) && isSparse(row)
  if (isSparse(row) && !all) {
    await enterAgain(db, part)
    return true
  }
  const after = all ? '' : row.cleared!
  const rows = await db.all(blocksAfter, { part, after, limit: most })
  const gone = await partData(db, part, GONE)
  const dropped: string[] = []
  for (const { word, data } of rows) {
    const left = all ? undefined : keepPostings(data, (document) => !gone || !hasBit(gone, document))
    if (!left) dropped.push(word)
    else if (left !== data) await db.enqueue(updateBlock, { part, word, data: left })
  }
  if (dropped.length) await db.enqueue(dropBlocks, { part, words: JSON.stringify(dropped) })
  const isLast = rows.length < most
  if (all && isLast) {
    await db.enqueue(dropData, { part })
    await db.enqueue(dropPart, { part })
  } else await db.enqueue(setCleared, { part, cleared: isLast ? null : rows.at(-1)!.word })
  return true
}
