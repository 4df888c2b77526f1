import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { BoundedCache } from '#src/domain/bounded-cache.ts'
import { type Db, query } from '#src/sql/query.ts'
import { type AccessPath, targetsOf } from '#src/storage/search/access-paths.ts'

/** How long a count may be used, in milliseconds. A stale one costs time, never truth. */
const LIFETIME = 5000
/** Each is as large as the next: its key is a hash, of the same length however long a condition is. */
const BOUNDS = { entries: Infinity, size: 2000, unused: LIFETIME }
/** Conditions with longer lists are counted again: to hash them costs as much. */
const MAX_KEY = 100_000
/** A hop whose referenced items are more is never followed backwards. */
const MAX_TARGETS = 2000

interface Count {
  rows: number
  /** It was not counted further. */
  cap: number
  at: number
}

const CACHE_KEY = 'search counts'

const keptBy = ({ hints }: Db) => hints.get(CACHE_KEY) as BoundedCache<Count> | undefined

/** Number of rows that an access path gives, counted up to `cap`; more than that is `cap + 1`. */
export async function countOf(db: Db, path: AccessPath, cap: number): Promise<number> {
  const key = keyOf(path.fromReferring ? ['from referring', path.part] : path.part)
  return remembered(db, key, cap, async () => {
    for (const targets of targetsOf(path))
      if ((await countRows(db, targets, MAX_TARGETS)) > MAX_TARGETS) return Infinity
    let rows = 0
    for (const source of path.sources) {
      rows += await countSource(db, path, source.rows, cap - rows)
      if (rows > cap) break
    }
    return rows
  })
}

/** Entries of one index cost the same each, so they may be gone through twice; what else gives rows may not. */
const countSource = (db: Db, { part }: AccessPath, rows: RawBuilder<unknown>, cap: number): Promise<number> =>
  part.kind === 'field' || part.kind === 'has_tag'
    ? numberOf(db, db.dialect.countedUpTo(rows, cap))
    : countRows(db, rows, cap)

/** What a condition is remembered by: of the same short length however long it is. Undefined for one too long. */
export function keyOf(condition: unknown): string | undefined {
  const text = JSON.stringify(condition)
  return text.length > MAX_KEY ? undefined : hash('sha1', text, 'base64url')
}

/** As `countOf`, of any rows; `key` names them, and without one they are counted each time. */
export async function remembered(
  db: Db,
  key: string | undefined,
  cap: number,
  count: () => Promise<number>,
): Promise<number> {
  if (key === undefined) return count()
  let counts = keptBy(db)
  if (!counts) db.hints.set(CACHE_KEY, (counts = new BoundedCache(BOUNDS)))
  const known = counts.get(key)
  if (isFresh(known) && (known.rows <= known.cap || known.cap >= cap)) return known.rows
  const rows = await count()
  counts.set(key, { rows, cap, at: performance.now() }, 1)
  return rows
}

export const isRemembered = (db: Db, key: string | undefined): boolean =>
  key !== undefined && isFresh(keptBy(db)?.get(key))

const isFresh = (count: Count | undefined): count is Count =>
  count !== undefined && performance.now() - count.at < LIFETIME

export async function countRows(db: Db, rows: RawBuilder<unknown>, cap: number): Promise<number> {
  return numberOf(
    db,
    sql<{ n: number }>`select count(*) as n from (select 1 from (${rows}) r limit ${cap + 1}) c`,
  )
}

async function numberOf(db: Db, counted: RawBuilder<{ n: number }>): Promise<number> {
  const [row] = await db.select<{ n: number }>(counted.compile(db.dialect.builder))
  return row!.n
}

const newestItem = query((_: object, db) => db.selectFrom('item').select((e) => e.fn.max('id').as('id')))

/** Roughly how many items there are. */
export const countItems = (db: Db): Promise<number> =>
  remembered(db, 'items', Infinity, async () => (await db.get(newestItem, {}))?.id ?? 0)
