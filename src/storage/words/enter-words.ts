import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import {
  DOCUMENTS,
  emptyBits,
  GONE,
  hasBit,
  type NewDocument,
  PART,
  partData,
  partOf,
  type PartRow,
  partRows,
  readDocuments,
  setBit,
  writeData,
  writeDocuments,
} from '#src/storage/words/parts.ts'
import { planWords, type WordPlace, type WordPlan } from '#src/storage/words/plan-words.ts'
import { appendBlock } from '#src/storage/words/posting-block.ts'
import { endTurn, findTurn, noteTurn, type Turn, TURN_MS } from '#src/storage/words/word-turn.ts'

type Parts = Map<number, PartRow>

/** Whether these documents are the next that are entered, and whoever enters them is the only one. */
async function takeTurn(db: Db, parts: Parts, place: WordPlace, turn: Turn): Promise<boolean> {
  const held = await findTurn(db)
  if (held?.id === turn.id) return true
  if (!turn.begins || (held && turn.now < held.since + TURN_MS)) return false
  if (held) {
    await bury(db, parts, held)
    await endTurn(db)
    return false
  }
  const newest = [...parts.keys()].at(-1)
  const isNext =
    place.part === newest
      ? parts.get(newest)!.documents === place.first
      : place.part === (newest ?? -1) + 1 && place.first === 0
  if (isNext) await noteTurn(db, { ...place, id: turn.id, since: turn.now })
  return isNext
}

/** What was entered by one who did not come to an end stays in the blocks: its documents are gone from the beginning. */
async function bury(db: Db, parts: Parts, { part, first, count }: WordPlace): Promise<void> {
  const none = (): NewDocument => ({ item: 0, name_length: 0, lengths: [0, 0, 0] })
  await addDocuments(db, parts, part, Array.from({ length: count }, none))
  await markGone(
    db,
    parts,
    Array.from({ length: count }, (_, i) => part * PART + first + i),
  )
  await db.enqueue(setCleared, { part, cleared: '' })
}

/**
 * Writes some of the words of a plan. Searches do not see them: their documents are behind those that the part has.
 * False where others were entered in between: then the plan has come to nothing.
 */
export async function enterSlice(
  db: Db,
  { slice, turn, ...place }: WordPlace & { slice: string; turn: Turn },
): Promise<boolean> {
  const parts = await partsByNumber(db)
  if (!(await takeTurn(db, parts, place, turn))) return false
  const { part } = place
  const words = JSON.parse(slice) as [word: string, block: string][]
  const rows = await db.all(blocks, { part, words: JSON.stringify(words.map(([word]) => word)) })
  const before = new Map(rows.map(({ word, data }) => [word, data]))
  const added: unknown[][] = []
  for (const [word, block] of words) {
    const own = before.get(word)
    const data = appendBlock(own, Buffer.from(block, 'base64'))
    if (own) await db.enqueue(updateBlock, { part, word, data })
    else added.push([part, word, data])
  }
  await insertBlocks(db, added)
  return true
}

const partsByNumber = async (db: Db): Promise<Parts> =>
  new Map((await partRows(db)).map((row) => [row.part, row]))

const blocks = query((p: { part: number; words: string }, db, { texts }) =>
  db
    .selectFrom('word_block')
    .select(['word', 'data'])
    .where('part', '=', p.part)
    .where('word', 'in', texts(p.words)),
)
const insertBlocks = rowInserter('word_block', ['part', 'word', 'data'])
export const updateBlock = query((p: { part: number; word: string; data: Uint8Array }, db) =>
  db.updateTable('word_block').set({ data: p.data }).where('part', '=', p.part).where('word', '=', p.word),
)

const known = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('word_item').select(['item', 'document']).where('item', 'in', integers(p.ids)),
)
const livingOf = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('item').select('id').where('id', 'in', integers(p.ids)),
)
const setDocuments = rowInserter('word_item', ['item', 'document'])
export const forgetDocuments = query((p: { ids: string }, db, { integers }) =>
  db.deleteFrom('word_item').where('item', 'in', integers(p.ids)),
)
export const setCleared = query((p: { part: number; cleared: string | null }, db) =>
  db.updateTable('word_part').set({ cleared: p.cleared }).where('part', '=', p.part),
)
const dropWaiting = query((p: { last: number }, db) =>
  db.deleteFrom('word_pending').where('seq', '<=', p.last),
)

/** From now on searches see what was entered. False as `enterSlice`. */
export async function finishEntering(
  db: Db,
  { turn, ...plan }: Omit<WordPlan, 'slices' | 'changes'> & { turn: Turn },
): Promise<boolean> {
  const parts = await partsByNumber(db)
  if (!(await takeTurn(db, parts, plan, turn))) return false
  const { part, documents, without } = plan
  const ids = JSON.stringify([...documents.map(({ item }) => item), ...without])
  const before = await db.all(known, { ids })
  await markGone(
    db,
    parts,
    before.map(({ document }) => document),
  )
  await addDocuments(db, parts, part, documents)
  await db.enqueue(forgetDocuments, { ids })
  await numberDocuments(db, parts, plan)
  await db.enqueue(dropWaiting, { last: plan.last })
  await endTurn(db)
  return true
}

async function addDocuments(
  db: Db,
  parts: Parts,
  part: number,
  documents: readonly NewDocument[],
): Promise<void> {
  const row = parts.get(part) ?? { part, documents: 0, gone: 0 }
  const stored = await partData(db, part, DOCUMENTS)
  const data = writeDocuments(stored && readDocuments(stored), documents)
  await db.enqueue(writeData, { part, kind: DOCUMENTS, data })
  await storePart(db, parts, { ...row, documents: row.documents + documents.length })
}

/** Those that were purged since the plan was made are gone already, and what it has of them is to be cleared. */
async function numberDocuments(
  db: Db,
  parts: Parts,
  { part, first, documents }: Pick<WordPlan, 'part' | 'first' | 'documents'>,
): Promise<void> {
  const ids = JSON.stringify(documents.map(({ item }) => item))
  const living = new Set((await db.all(livingOf, { ids })).map(({ id }) => id))
  const numbered = documents.map(({ item }, i) => [item, part * PART + first + i] as const)
  await setDocuments(
    db,
    numbered.filter(([item]) => living.has(item)),
  )
  const purged = numbered.filter(([item]) => !living.has(item)).map(([, document]) => document)
  if (!purged.length) return
  await markGone(db, parts, purged)
  await db.enqueue(setCleared, { part, cleared: '' })
}

/** Enters the words of some of the items that wait in the transaction of the caller; how many changes that were. */
export async function enterWords(db: Db, most?: number): Promise<number> {
  const plan = await planWords(db, { most })
  if (!plan) return 0
  const { slices, changes, ...rest } = plan
  const turn = { id: '', now: Infinity, begins: true }
  for (const slice of slices) await enterSlice(db, { ...rest, slice, turn })
  await finishEntering(db, { ...rest, turn })
  return changes
}

const writePart = query((p: { part: number; documents: number; gone: number; version: number }, db) =>
  db
    .insertInto('word_part')
    .values({ part: p.part, documents: p.documents, gone: p.gone, version: p.version, cleared: null })
    .onConflict((conflict) =>
      conflict.column('part').doUpdateSet({ documents: p.documents, gone: p.gone, version: p.version }),
    ),
)
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
