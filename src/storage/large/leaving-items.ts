import { sql } from 'kysely'
import { type Db, query } from '#src/sql/query.ts'
import { markWords } from '#src/storage/words/mark-words.ts'
import { letTextsWait } from '#src/storage/large/waiting-texts.ts'
import { unindexItems } from '#src/storage/value-index/unindex.ts'

const leave = query((p: { ids: string }, db, dialect) =>
  db
    .insertInto('leaving_item')
    .columns(['id', 'whole'])
    .expression(
      db.selectFrom(dialect.integers(p.ids).$castTo<{ value: number }>().as('e')).select((e) => [
        'e.value as id',
        // What an upgrade has still to fold is folded among the living alone.
        sql<number>`case when ${e.exists(db.selectFrom('text_folding').select('done'))} then 0 else 1 end`.as(
          'whole',
        ),
      ]),
    ),
)

/** What deleted items (row ids) have in the indexes is taken out later; from now on nobody sees it. */
export async function letLeave(db: Db, ids: readonly number[]): Promise<void> {
  await noteLeaving(db, ids)
  await markWords(db, ids)
}

/** The same where the word index has nothing of them. */
export const noteLeaving = (db: Db, ids: readonly number[]): Promise<unknown> =>
  db.enqueue(leave, { ids: JSON.stringify(ids) })

const among = query((p: { ids: string }, db, dialect) =>
  db.selectFrom('leaving_item').select(['id', 'whole']).where('id', 'in', dialect.integers(p.ids)),
)
const stay = query((p: { ids: string }, db, dialect) =>
  db.deleteFrom('leaving_item').where('id', 'in', dialect.integers(p.ids)),
)

/** Which of the items (row ids) are leaving: `whole` are those of which the indexes have all that they should. */
export async function leavingAmong(
  db: Db,
  ids: readonly number[],
): Promise<{ whole: number[]; others: number[] }> {
  const whole: number[] = []
  const others: number[] = []
  if (db.dialect.leavesLater)
    for (const row of await db.all(among, { ids: JSON.stringify(ids) }))
      (row.whole ? whole : others).push(row.id)
  return { whole, others }
}

/** They live again, with what the indexes still have of them. */
export async function letStay(db: Db, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  await db.enqueue(stay, { ids: JSON.stringify(ids) })
  await markWords(db, ids)
}

const dropTexts = query((p: { ids: string }, db, dialect) =>
  db.deleteFrom('item_text').where('id', 'in', dialect.integers(p.ids)),
)

/** Takes items (row ids) out of all indexes: what they are found by, and their texts. */
export async function takeOut(db: Db, ids: readonly number[]): Promise<void> {
  await dropIndexed(db, ids)
  await markWords(db, ids)
}

async function dropIndexed(db: Db, ids: readonly number[]): Promise<void> {
  await unindexItems(db, ids)
  await letTextsWait(
    db,
    ids.map((id) => ({ id, size: 0 })),
    'none',
  )
  await db.enqueue(dropTexts, { ids: JSON.stringify(ids) })
}

/** The same of those that were to leave later; their words left when they began to. */
export async function takeOutNow(db: Db, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  await dropIndexed(db, ids)
  await db.enqueue(stay, { ids: JSON.stringify(ids) })
}

const outdateSome = query((p: { ids: string }, db, dialect) =>
  db.updateTable('leaving_item').set({ whole: 0 }).where('id', 'in', dialect.integers(p.ids)),
)
const outdateAll = query((_: object, db) => db.updateTable('leaving_item').set({ whole: 0 }))

/**
 * What deleted items carry changes without the indexes; of those that are leaving (`ids`: of these) they do not have
 * any more what they should.
 */
export async function outdateLeaving(db: Db, ids?: readonly number[]): Promise<void> {
  if (!db.dialect.leavesLater) return
  if (!ids) await db.enqueue(outdateAll, {})
  else if (ids.length) await db.enqueue(outdateSome, { ids: JSON.stringify(ids) })
}

const oldest = query((p: { limit: number }, db) =>
  db.selectFrom('leaving_item').select('id').orderBy('id').limit(p.limit),
)

export const isAnyLeaving = async (db: Db): Promise<boolean> =>
  (await db.all(oldest, { limit: 1 })).length > 0

/** Takes some of those that are leaving out of the indexes; whether others are left. */
export async function takeSomeOut(db: Db, limit: number): Promise<boolean> {
  if (!db.dialect.leavesLater) return false
  const rows = await db.all(oldest, { limit })
  await takeOutNow(
    db,
    rows.map(({ id }) => id),
  )
  return rows.length === limit
}
