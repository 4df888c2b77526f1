import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'
import { type RawBuilder, sql } from 'kysely'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { filterToSql } from '#src/filter/sql/filter-to-sql.ts'
import type { Db } from '#src/sql/query.ts'
import { type Candidates, idsOf, leavesOf, where } from '#src/storage/search/candidates.ts'
import type { CursorPlace } from '#src/storage/search/search-cursor.ts'

/**
 * Row ids of the items that satisfy a plan by shorter name, then newest change, then newest item, which is how equals
 * in relevance are ordered. One index has all items so, with their names: those that cannot hold what is sought are
 * passed by without a look at their texts.
 */
export async function idsByRank(
  db: Db,
  { probe }: Pick<Candidates, 'probe'>,
  position: CursorPlace | undefined,
  limit: number,
): Promise<number[]> {
  const ids: number[] = []
  for (const span of spansAfter(position)) {
    const left = limit - ids.length
    if (left > 0) ids.push(...(await idsOf(db, idsInSpan(db, probe, span, left))))
  }
  return ids
}

type Condition = RawBuilder<unknown>

/** An index takes the rest of one length, and what is longer, each for itself. */
function spansAfter(position: CursorPlace | undefined): Condition[][] {
  if (!position) return [[]]
  const [length, updated_at] = position.values
  return [
    [sql`length(i.name) = ${length}`, sql`(i.updated_at, i.id) < (${updated_at}, ${position.item})`],
    [sql`length(i.name) > ${length}`],
  ]
}

function idsInSpan({ dialect }: Db, probe: FilterPlan, span: Condition[], limit: number) {
  const { filter } = dialect
  const conditions = [
    sql`i.deleted_at is null`,
    ...span,
    ...textsOfName(probe).flatMap((text) => filter.mayHold(sql`i.name`, text) ?? []),
    ...[filter.goesOn(sql`i.id`, leavesOf(probe)) ?? []].flat(),
    sql`${filterToSql(probe, dialect, 'i')}`,
  ] as RawBuilder<boolean>[]
  return sql<{
    item: number
  }>`select i.id as item from item i${where(conditions)} order by length(i.name), i.updated_at desc, i.id desc limit ${limit}`
}

/** The folded texts that the name of every item has that satisfies the plan. */
function textsOfName(plan: FilterPlan): string[] {
  return conjunctsOf(plan).flatMap((part) => textOfName(part) ?? [])
}

function textOfName(part: FilterPlan): string | undefined {
  if (part.kind === 'search')
    return part.part === undefined || part.part === 'description' ? undefined : part.text
  if (part.kind !== 'or') return undefined
  const [first, ...others] = part.children.map(textOfName)
  return others.every((each) => each === first) ? first : undefined
}
