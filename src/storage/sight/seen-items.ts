import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { filterToSql } from '#src/filter/sql/filter-to-sql.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import { type Db, query, type Query } from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'
import { type Sight, sightOf, timeToLook, wholeOf } from '#src/storage/sight/sight.ts'

interface Looks {
  readonly some: Query<{ ids: string }, { id: number }>
  /** The same of one, which PostgreSQL plans as what it is; of a list it may go through all items. */
  readonly one: Query<{ id: number }, { id: number }>
}
const statements = new WeakMap<FilterPlan, Looks>()

/** Of these items (row ids) those that live and are seen; of an unlimited caller's, all. A change looks for no longer than it has time. */
export async function seenAmong(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const sight = sightOf(db)
  if (!sight) return new Set(ids)
  if (!ids.length || sight.plan.kind === 'never') return new Set()
  const look = async (some: readonly number[]) => (await rowsOf(db, sight, some)).map(({ id }) => id)
  const time = timeToLook(db)
  if (!time) return new Set(await look(ids))
  return time.among(db, ids, sight.now?.(wholeOf(db)) ?? look)
}

function rowsOf(db: Db, sight: Sight, ids: readonly number[]): Promise<{ id: number }[]> {
  const { one, some } = looksOf(sight)
  return ids.length === 1 ? db.all(one, { id: ids[0]! }) : db.all(some, { ids: JSON.stringify(ids) })
}

function looksOf({ plan }: Sight): Looks {
  let found = statements.get(plan)
  if (!found) {
    const seen = (kysely: Kysely<Tables>, dialect: Dialect) =>
      kysely
        .selectFrom('item as i')
        .select('i.id')
        .where('i.deleted_at', 'is', null)
        .where(sql<SqlBool>`${filterToSql(plan, dialect, 'i')}`)
    found = {
      some: query((p, kysely, dialect) => seen(kysely, dialect).where('i.id', 'in', dialect.integers(p.ids))),
      one: query((p, kysely, dialect) => seen(kysely, dialect).where('i.id', '=', p.id)),
    }
    statements.set(plan, found)
  }
  return found
}

/** Whether an item (row id) lives and is seen. */
export const isSeen = async (db: Db, id: number): Promise<boolean> =>
  !sightOf(db) || (await seenAmong(db, [id])).has(id)

/** ` and …`, true where the item whose row id the expression is lives and is seen; nothing where all are. */
export function andSeen(db: Db, item: RawBuilder<unknown>): RawBuilder<unknown> {
  const sight = sightOf(db)
  if (!sight) return sql``
  return sql` and exists (select 1 from item seen where seen.id = ${item} and seen.deleted_at is null and ${filterToSql(sight.plan, db.dialect, 'seen')}${db.dialect.filter.forEachRow})`
}
