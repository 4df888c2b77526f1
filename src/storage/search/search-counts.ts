import { type RawBuilder, sql } from 'kysely'
import { type Db, query } from '#src/sql/query.ts'
import { type Driver, targetsOf } from '#src/storage/search/search-drivers.ts'

/** How long a count may be used, in milliseconds. A stale one costs time, never truth. */
const LIFETIME = 5000
const MAX_KEPT = 2000
/** A hop whose referenced items are more is never followed backwards. */
const MAX_TARGETS = 2000

interface Count {
  rows: number
  /** It was not counted further. */
  cap: number
  at: number
}

const KEPT = 'search counts'

const keptBy = ({ hints }: Db) => hints.get(KEPT) as Map<string, Count> | undefined

/** Number of rows that a driver gives, counted up to `cap`; more than that is `cap + 1`. */
export async function countOf(db: Db, driver: Driver, cap: number): Promise<number> {
  return remembered(db, JSON.stringify(driver.part), cap, async () => {
    for (const targets of targetsOf(driver))
      if ((await countRows(db, targets, MAX_TARGETS)) > MAX_TARGETS) return Infinity
    let rows = 0
    for (const source of driver.sources) {
      rows += await countRows(db, source.rows, cap - rows)
      if (rows > cap) break
    }
    return rows
  })
}

/** As `countOf`, of any rows; `key` names them. */
export async function remembered(
  db: Db,
  key: string,
  cap: number,
  count: () => Promise<number>,
): Promise<number> {
  let counts = keptBy(db)
  if (!counts) db.hints.set(KEPT, (counts = new Map()))
  const known = counts.get(key)
  if (isFresh(known) && (known.rows <= known.cap || known.cap >= cap)) return known.rows
  const rows = await count()
  counts.delete(key) // the newest stands last
  counts.set(key, { rows, cap, at: performance.now() })
  if (counts.size > MAX_KEPT) counts.delete(counts.keys().next().value!)
  return rows
}

export const isRemembered = (db: Db, key: string): boolean => isFresh(keptBy(db)?.get(key))

const isFresh = (count: Count | undefined): count is Count =>
  count !== undefined && performance.now() - count.at < LIFETIME

export async function countRows(db: Db, rows: RawBuilder<unknown>, cap: number): Promise<number> {
  const counted = sql<{ n: number }>`select count(*) as n from (select 1 from (${rows}) r limit ${cap + 1}) c`
  const [row] = await db.select<{ n: number }>(counted.compile(db.dialect.builder))
  return row!.n
}

const newestItem = query((_: object, db) => db.selectFrom('item').select((e) => e.fn.max('id').as('id')))

/** Roughly how many items there are. */
export const countItems = (db: Db): Promise<number> =>
  remembered(db, 'items', Infinity, async () => (await db.get(newestItem, {}))?.id ?? 0)
