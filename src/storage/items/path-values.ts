import type { FieldValues } from '#src/domain/field-values.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { ValuePath } from '#src/filter/meaning/value-path.ts'
import { type Db, query } from '#src/sql/query.ts'
import { itemsWithTag } from '#src/storage/items/item-tags.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

const names = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('item').select(['id', 'name']).where('id', 'in', integers(p.ids)),
)

/**
 * What these live items (row ids) have at a path, as it is stored: null where there is nothing or a reference leads
 * to no living item; over a MultiReference an array, with an element for each living item reached. `met` gets the
 * deleted items that references led to.
 */
export async function pathValues(
  db: Db,
  path: ValuePath,
  items: readonly number[],
  met?: Set<Ulid>,
): Promise<Map<number, unknown>> {
  let reached = new Map(items.map((item) => [item, [item]]))
  for (const hop of path.hops) reached = await follow(db, hop, reached, met)
  const ends = [...new Set([...reached.values()].flat())]
  const values = path.kind === 'name' ? await namesOf(db, ends) : await valuesOf(db, path.field, ends)
  const several = path.hops.some(({ type }) => type === 'MultiReference')
  return new Map(
    items.map((item) => {
      const found = reached.get(item)!.map((end) => values.get(end) ?? null)
      return [item, several ? found : (found[0] ?? null)]
    }),
  )
}

async function follow(
  db: Db,
  hop: BoundField,
  reached: ReadonlyMap<number, readonly number[]>,
  met: Set<Ulid> | undefined,
): Promise<Map<number, number[]>> {
  const values = await valuesOf(db, hop, [...new Set([...reached.values()].flat())])
  const ids = (value: unknown): Ulid[] => [value].flat().filter((each) => typeof each === 'string')
  const targets = await findTargets(db, new Set([...values.values()].flatMap(ids)))
  const living = (item_id: Ulid): number[] => {
    const target = targets.get(item_id)
    if (target?.state === 'deleted') met?.add(item_id)
    return target?.state === 'live' ? [target.id] : []
  }
  return new Map(
    [...reached].map(([item, places]) => [
      item,
      places.flatMap((place) => ids(values.get(place)).flatMap(living)),
    ]),
  )
}

async function valuesOf(db: Db, field: BoundField, items: readonly number[]): Promise<Map<number, unknown>> {
  const values = new Map<number, unknown>()
  if (!items.length) return values
  for (const { item, field_values } of await itemsWithTag(db, field.tag, items)) {
    const all = JSON.parse(field_values) as FieldValues
    if (Object.hasOwn(all, field.name)) values.set(item, all[field.name])
  }
  return values
}

async function namesOf(db: Db, items: readonly number[]): Promise<Map<number, unknown>> {
  if (!items.length) return new Map()
  const rows = await db.all(names, { ids: JSON.stringify(items) })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
