import { sql } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { itemNames } from '#src/storage/items/item-names.ts'
import { referenceFields } from '#src/storage/references/reference-fields.ts'

/** What an item refers to: by id, the name (null of a purged item) and whether it is deleted or purged. */
export type References = Record<Ulid, { name: string | null; deleted: boolean }>

const values = query((p: { items: string; fields: string }, db, dialect) =>
  db
    .selectFrom('field_value as v')
    .select(['v.item', sql<number | null>`${dialect.filter.value('v', 'row_id')}`.as('target')])
    .where('v.item', 'in', dialect.integers(p.items))
    .where('v.field', 'in', dialect.integers(p.fields)),
)
/** What each of these live items (row ids) refers to by fields of its tags; an item without references is left out. */
export async function referencesOf(db: Db, of: readonly number[]): Promise<Map<number, References>> {
  const fields = [...(await referenceFields(db)).keys()]
  if (!fields.length || !of.length) return new Map()
  const rows = await db.all(values, { items: JSON.stringify(of), fields: JSON.stringify(fields) })
  // An empty MultiReference, and a value that is no reference any more, have a row without a target.
  const pairs = rows.flatMap(({ item, target }) => (typeof target === 'number' ? [{ item, target }] : []))
  const targets = await itemNames(db, [...new Set(pairs.map(({ target }) => target))])
  const references = new Map<number, References>()
  for (const { item, target } of pairs.sort((a, b) => a.item - b.item || a.target - b.target)) {
    const { item_id, name, deleted } = targets.get(target)!
    const own = references.get(item) ?? {}
    own[item_id] = { name, deleted }
    references.set(item, own)
  }
  return references
}
