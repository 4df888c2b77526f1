import { type RawBuilder, sql } from 'kysely'
import type { BoundField, FilterPlan } from '#src/filter/meaning/plan.ts'
import type { ValuePath } from '#src/filter/meaning/value-path.ts'
import { filterToSql } from '#src/filter/sql/filter-to-sql.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import type { Db } from '#src/sql/query.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'
import { sightOf } from '#src/storage/sight/sight.ts'

/** Where a plan is asked: of the base as it was there are two, of what was touched since and of the rest. */
export interface PartOfBase {
  db: Db
  plan: FilterPlan
}

/** Row ids of the deleted items at which paths from items of the plans end early. A caller who sees a part meets none. */
export async function deletedOnPathsOf(
  parts: readonly PartOfBase[],
  paths: readonly ValuePath[],
): Promise<ReadonlySet<number>> {
  const met = new Set<number>()
  const chains = paths.flatMap(({ hops }) => hops.map((_, i) => hops.slice(0, i + 1)))
  for (const { db, plan } of chains.length ? parts : []) {
    if (sightOf(db)) return met
    let settled: FilterPlan | undefined
    for (const hops of chains) {
      if (!(await deletedAt(db, hops, undefined, 1)).length) continue
      settled ??= await settlePlan(db, plan)
      for (const id of await deletedAt(db, hops, settled)) met.add(id)
    }
  }
  return met
}

async function deletedAt(
  db: Db,
  hops: readonly BoundField[],
  plan: FilterPlan | undefined,
  most = Number.MAX_SAFE_INTEGER,
): Promise<number[]> {
  if (plan?.kind === 'never') return []
  const { dialect } = db
  const reached = (at: number, row: RawBuilder<unknown>): RawBuilder<unknown> => {
    const v = `v${at}`
    const item = sql.raw(`${v}.item`)
    const before = at ? sql` and exists (${reached(at - 1, item)})` : ofPlan(item)
    return sql`select 1 from ${FIELD_VALUE} ${sql.raw(v)} where ${sql.raw(v)}.field = ${hops[at]!.id} and ${dialect.filter.value(v, 'row_id')} = ${row}${before}${dialect.filter.asIndexed(v)}${dialect.filter.forEachRow}`
  }
  const ofPlan = (item: RawBuilder<unknown>) =>
    plan
      ? sql` and exists (select 1 from item i where i.id = ${item} and i.deleted_at is null and ${filterToSql(plan, dialect, 'i')})`
      : sql``
  const goesOn = dialect.filter.goesOn(sql`d.id`, hops.length)
  const deleted = goesOn ? sql`d.deleted_at is not null and ${goesOn}` : sql`d.deleted_at is not null`
  const statement = sql<{
    id: number
  }>`select d.id as id from item d where ${deleted} and exists (${reached(hops.length - 1, sql`d.id`)}) limit ${sql.lit(most)}`
  return (await db.select<{ id: number }>(statement.compile(dialect.builder))).map(({ id }) => id)
}
