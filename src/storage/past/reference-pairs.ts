import { sql } from 'kysely'
import { type Db, query } from '#src/sql/query.ts'

const pairRows = query((p: { fields: string; items: string }, db, dialect) => {
  const target = dialect.filter.withoutIndex(dialect.filter.value('v', 'row_id'), 'row_id')
  return db
    .selectFrom('field_value as v')
    .select(['v.item', sql<number>`${target}`.as('target')])
    .where('v.field', 'in', dialect.integers(p.fields))
    .where('v.item', 'in', dialect.integers(p.items))
    .where(dialect.filter.inRange(target, 'row_id', {}))
})

/** What items (row ids) refer to by fields, each reference once. */
export async function referencePairs(
  db: Db,
  fields: readonly number[],
  items: readonly number[],
): Promise<{ item: number; target: number }[]> {
  if (!fields.length || !items.length) return []
  return db.all(pairRows, { fields: JSON.stringify(fields), items: JSON.stringify(items) })
}

/** The items that they refer to. */
export async function targetsOf(
  db: Db,
  fields: readonly number[],
  items: readonly number[],
): Promise<number[]> {
  return [...new Set((await referencePairs(db, fields, items)).map(({ target }) => target))]
}
