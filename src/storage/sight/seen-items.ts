import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { filterToSql } from '#src/filter/sql/filter-to-sql.ts'
import { type Db, query, type Query } from '#src/sql/query.ts'
import type { MatchingTime } from '#src/storage/search/matching-time.ts'
import { type Sight, sightOf } from '#src/storage/sight/sight.ts'

type AmongThese = Query<{ ids: string }, { id: number }>
const statements = new WeakMap<FilterPlan, AmongThese>()

/** Of these items (row ids) those that live and are seen; of an unlimited caller's, all. A change looks for no longer than `time`. */
export async function seenAmong(
  db: Db,
  ids: readonly number[],
  time?: MatchingTime,
): Promise<ReadonlySet<number>> {
  const sight = sightOf(db)
  if (!sight) return new Set(ids)
  if (!ids.length || sight.plan.kind === 'never') return new Set()
  const look = async (some: readonly number[]) =>
    (await db.all(statementOf(sight), { ids: JSON.stringify(some) })).map(({ id }) => id)
  return time ? time.among(db, ids, look) : new Set(await look(ids))
}

function statementOf({ plan }: Sight): AmongThese {
  let found = statements.get(plan)
  if (!found) {
    found = query((p, kysely, dialect) =>
      kysely
        .selectFrom('item as i')
        .select('i.id')
        .where('i.id', 'in', dialect.integers(p.ids))
        .where('i.deleted_at', 'is', null)
        .where(sql<SqlBool>`${filterToSql(plan, dialect, 'i')}`),
    )
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
