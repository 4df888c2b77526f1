import { sql } from 'kysely'
import { RolledBack } from '#src/domain/rolled-back.ts'
import { mapLeaves, nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { type Db, query } from '#src/sql/query.ts'

/** Bytes of texts that may wait, of all changes: searches read them one by one. A change takes its place where fewer do. */
const MOST_WAITING = 32 * 2 ** 20
/** Texts that are looked at for one step, and bytes that it enters. */
const AT_ONCE = 500
const MOST_IN_STEP = 64 * 1024
/** Items that are locked at once: a step locks few more than it enters. */
const LOCKED_AT_ONCE = 20

/** So few are known one by one: on PostgreSQL each change that asks for its own waits for the answer with the writer held. */
const FEW = 100

const KNOWN = 'texts wait'

const firstWaiting = query((_: object, db) =>
  db
    .selectFrom('waiting_text')
    .select('id')
    .limit(FEW + 1),
)

/** Items (row ids) of whose texts the trigram index does not know: all, or FEW and one more. */
async function knownToWait(db: Db): Promise<ReadonlySet<number>> {
  let known = db.cache.get(KNOWN) as ReadonlySet<number> | undefined
  if (!known) {
    known = new Set((await db.all(firstWaiting, {})).map(({ id }) => id))
    db.cache.set(KNOWN, known)
  }
  return known
}

/** The plan, whose searches look at the texts that wait as well. */
export async function knowingOfWaiting(db: Db, plan: FilterPlan): Promise<FilterPlan> {
  const searches = nodesOf(plan).some(({ kind }) => kind === 'search')
  if (!searches || !(await knownToWait(db)).size) return plan
  return mapLeaves(plan, (leaf) => (leaf.kind === 'search' ? { ...leaf, waiting: true } : leaf))
}

interface SizedText {
  /** Row id of the item. */
  id: number
  /** Bytes of its texts as they are to be. */
  size: number
}

/** What items have in the trigram index: nothing (`new`), `others` than they are to have, what is to go (`none` after it). */
type Before = 'new' | 'others' | 'none'

/**
 * Before texts of items are written, or dropped: which of them (row ids) are to wait, because entering them, or taking
 * out what the index has, would hold up others' writes (decision 52). What waits already goes on waiting.
 * @throws RolledBack where too many wait: `withRoomForTexts` has the change made when some have been entered
 */
export async function letTextsWait(
  db: Db,
  texts: readonly SizedText[],
  before: Before,
): Promise<ReadonlySet<number>> {
  const { room } = db
  const waiting = await waitingAmong(db, texts)
  if (room.texts !== Infinity) {
    const held = before === 'new' ? new Map<number, number>() : await heldOf(db, texts)
    for (const { id, size } of texts) {
      if (waiting.has(id)) continue
      const all = size + (held.get(id) ?? 0)
      if (all > room.texts) waiting.add(id)
      else room.texts -= all
    }
  }
  if (!waiting.size) return waiting
  await checkRoom(db)
  db.cache.delete(KNOWN)
  await db.enqueue(wait, { ids: JSON.stringify([...waiting]) })
  return waiting
}

const among = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('waiting_text').select('id').where('id', 'in', integers(p.ids)),
)

async function waitingAmong(db: Db, texts: readonly SizedText[]): Promise<Set<number>> {
  const known = await knownToWait(db)
  if (known.size <= FEW) return new Set(texts.map(({ id }) => id).filter((id) => known.has(id)))
  const rows = await db.all(among, { ids: idsOf(texts) })
  return new Set(rows.map(({ id }) => id))
}

const sizes = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('text_size').select(['id', 'size']).where('id', 'in', integers(p.ids)),
)

/** Bytes that are to be taken out of the index for each (row id). */
async function heldOf(db: Db, texts: readonly SizedText[]): Promise<Map<number, number>> {
  if (!db.dialect.forgetTexts) return new Map()
  return new Map((await db.all(sizes, { ids: idsOf(texts) })).map(({ id, size }) => [id, size]))
}

const idsOf = (texts: readonly Pick<SizedText, 'id'>[]) => JSON.stringify(texts.map(({ id }) => id))

const total = query((_: object, db) =>
  db
    .selectFrom('waiting_text as w')
    .innerJoin('text_size as s', 's.id', 'w.id')
    .select(({ fn }) => fn.sum<number | null>('s.size').as('size')),
)

/** Once for each transaction: what it lets wait itself, it may. */
async function checkRoom(db: Db): Promise<void> {
  const { room } = db
  if (room.texts === Infinity || room.has_waiting) return
  if (!(await isRoomForTexts(db))) throw new RolledBack('no_text_room')
  room.has_waiting = true
}

/** Whether no more texts wait than a change may find that lets others wait. */
export const isRoomForTexts = async (db: Db): Promise<boolean> =>
  ((await db.get(total, {}))!.size ?? 0) <= MOST_WAITING

const wait = query((p: { ids: string }, db, dialect) =>
  db
    .insertInto('waiting_text')
    .columns(['id', 'name', 'description'])
    .expression(
      db
        .selectFrom('item as i')
        .leftJoin('item_text as t', 't.id', 'i.id')
        .select([
          'i.id',
          (dialect.forgetTexts ? sql<string | null>`t.name` : sql<null>`null`).as('name'),
          (dialect.forgetTexts ? sql<string | null>`t.description` : sql<null>`null`).as('description'),
        ])
        .where('i.id', 'in', dialect.integers(p.ids)),
    )
    // What the index has is what it had when the first of its changes began to wait.
    .onConflict((conflict) => conflict.column('id').doNothing()),
)

const oldest = query((p: { limit: number }, db) =>
  db
    .selectFrom('waiting_text as w')
    .leftJoin('text_size as s', 's.id', 'w.id')
    .leftJoin('item as i', 'i.id', 'w.id')
    .select([
      'w.id',
      'i.id as item',
      's.size',
      sql<number | null>`octet_length(w.name) + coalesce(octet_length(w.description), 0)`.as('held'),
    ])
    .orderBy('w.id')
    .limit(p.limit),
)
const unlocked = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('item').select('id').where('id', 'in', integers(p.ids)).forNoKeyUpdate().skipLocked(),
)
const forgotten = query((p: { ids: string }, db, { integers }) =>
  db.updateTable('waiting_text').set({ name: null, description: null }).where('id', 'in', integers(p.ids)),
)
const enter = query((p: { ids: string }, db, { integers }) =>
  db.updateTable('item_text').set({ waits: null }).where('id', 'in', integers(p.ids)),
)
const done = query((p: { ids: string }, db, { integers }) =>
  db.deleteFrom('waiting_text').where('id', 'in', integers(p.ids)),
)

const count = query((_: object, db) =>
  db.selectFrom('waiting_text').select(({ fn }) => fn.countAll<number>().as('n')),
)

export const countWaitingTexts = async (db: Db): Promise<number> => (await db.get(count, {}))!.n

/**
 * Those of items that no large change is writing ahead: it would have to step back from what waits for it. Their items
 * are locked as they are asked for.
 */
async function* oldestUnlocked(db: Db) {
  const rows = await db.all(oldest, { limit: AT_ONCE })
  if (!db.dialect.writesAhead) return yield* rows
  for (let at = 0; at < rows.length; at += LOCKED_AT_ONCE) {
    const some = rows.slice(at, at + LOCKED_AT_ONCE)
    const free = new Set((await db.all(unlocked, { ids: idsOf(some) })).map(({ id }) => id))
    for (const row of some) if (row.item === null || free.has(row.item)) yield row
  }
}

/** Gives the trigram index some of the texts that wait; how many are left, and whether it could be given any. */
export async function enterSomeTexts(db: Db): Promise<{ waiting: number; has_entered: boolean }> {
  let has_entered = false
  const forget: number[] = []
  const entered: number[] = []
  let left = MOST_IN_STEP
  const fits = (size: number) => {
    if (size > left && left < MOST_IN_STEP) return false
    left -= size
    return true
  }
  for await (const { id, size, held } of oldestUnlocked(db)) {
    has_entered = true
    if (held !== null) {
      if (!fits(held)) break
      forget.push(id)
    }
    if (!fits(size ?? 0)) break
    entered.push(id)
  }
  const [old, whole] = [JSON.stringify(forget), JSON.stringify(entered)]
  const { forgetTexts, builder } = db.dialect
  if (forgetTexts && forget.length) {
    await db.enqueueCompiled(forgetTexts(old).compile(builder))
    await db.enqueue(forgotten, { ids: old })
  }
  await db.enqueue(enter, { ids: whole })
  await db.enqueue(done, { ids: whole })
  db.cache.delete(KNOWN)
  return { waiting: await countWaitingTexts(db), has_entered }
}
