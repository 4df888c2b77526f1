import { sql } from 'kysely'
import type { Db } from '#src/sql/query.ts'
import { MANY } from '#src/storage/log/audit-log.ts'

/** Indexes of `item` that a new time moves an entry of, as the schema has them: lists are sorted by them, nothing else. */
const OF_TIMES = new Map([
  [
    'item_rank',
    'CREATE INDEX item_rank on item (length(name), updated_at desc, id desc, name) where deleted_at is null',
  ],
  ['item_updated', 'CREATE INDEX "item_updated" on "item" ("updated_at", "id") where "deleted_at" is null'],
])
/** … and those that a deletion or a restoration gives an entry, or takes one from. */
const OF_PRESENCE = [...OF_TIMES.keys(), 'item_name', 'item_created', 'item_deleted', 'item_deleted_at']
/** From this part of all items on, an index is made anew in less time than its entries are moved in. */
const PART = 1 / 3

/** Rows of `item` that a change writes. */
export interface WrittenItems {
  /** That get another time. */
  times: number
  /** That are deleted or restored. */
  presence: number
}

/**
 * Carries out work that writes rows of `item`, within the transaction. Where they are so many that it is quicker, the
 * indexes that would move with each of them are dropped, and made anew when all are written (decision 42): who reads
 * meanwhile reads what was there before the transaction. After an error it is the transaction that brings them back.
 * Where others wait for the writer, those of times are left to `makeMissingIndex`: without them a list is sorted when it
 * is read.
 */
export async function rebuildingIndexes<Result>(
  db: Db,
  { times, presence }: WrittenItems,
  work: () => Promise<Result>,
): Promise<Result> {
  const most = Math.max(times, presence)
  if (!db.dialect.rebuildsIndexes || most < MANY || most < (await countItems(db)) * PART) return work()
  const dropped = await definitionsOf(db, presence >= times ? OF_PRESENCE : [...OF_TIMES.keys()])
  for (const { name } of dropped) await carryOut(db, `drop index "${name}"`)
  const result = await work()
  for (const { name, definition } of dropped)
    if (!othersWait(db) || !OF_TIMES.has(name)) await carryOut(db, definition)
  return result
}

const othersWait = ({ room }: Db): boolean => room.texts < Infinity

/** Makes one of the indexes that large changes have left out; whether there was one. */
export async function makeMissingIndex(db: Db): Promise<boolean> {
  if (!db.dialect.rebuildsIndexes) return false
  const there = new Set((await definitionsOf(db, [...OF_TIMES.keys()])).map(({ name }) => name))
  const missing = [...OF_TIMES].find(([name]) => !there.has(name))
  if (missing) await carryOut(db, missing[1])
  return missing !== undefined
}

async function countItems(db: Db): Promise<number> {
  const [row] = await db.select<{ n: number }>(
    sql<{ n: number }>`select count(*) as n from item`.compile(db.dialect.builder),
  )
  return row!.n
}

interface Index {
  name: string
  definition: string
}

const definitionsOf = (db: Db, names: readonly string[]): Promise<Index[]> =>
  db.select<Index>(
    sql<Index>`select name, sql as definition from sqlite_schema where type = 'index' and tbl_name = 'item' and name in ${db.dialect.texts(JSON.stringify(names))}`.compile(
      db.dialect.builder,
    ),
  )

const carryOut = (db: Db, text: string): Promise<unknown> => db.enqueueCompiled({ sql: text, parameters: [] })
