import { type FieldValues, valueOf } from '#src/domain/field-values.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import type { Db } from '#src/sql/query.ts'
import { itemsWithTag } from '#src/storage/items/item-tags.ts'
import { matchingItems } from '#src/storage/search/matching-items.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

/** Items that are read at once. */
const CHUNK = 5000

/** A value that does not fit the present schema, as it is stored at one version, and on how many living items. */
export interface OutdatedValue {
  field: string
  value: unknown
  schema_version: number
  count: number
}

/** What items have of a tag that the schema does not take, field by field, the commonest first. */
export async function outdatedValues(db: Db, tag: StoredTag, catalog: TagCatalog): Promise<OutdatedValue[]> {
  const found: OutdatedValue[] = []
  for (const field of [...tag.catalog.fields.keys(), ...(tag.catalog.left?.keys() ?? [])]) {
    if (field.includes('.')) continue // no name of a field: what `renameFieldRows` puts aside
    const filter = { [`${tag.tag_id}.${field}`]: { outdated: true } }
    const { plan } = await readFilter(filter, catalog)
    const items = await matchingItems(db, plan)
    found.push(...(await valuesOf(db, tag, field, items)))
  }
  return found
}

async function valuesOf(
  db: Db,
  tag: StoredTag,
  field: string,
  items: readonly number[],
): Promise<OutdatedValue[]> {
  const counts = new Map<string, OutdatedValue>()
  for (let at = 0; at < items.length; at += CHUNK)
    for (const each of await itemsWithTag(db, tag.id, items.slice(at, at + CHUNK))) {
      const value = valueOf(JSON.parse(each.field_values) as FieldValues, field)
      const { schema_version } = each
      const key = `${schema_version} ${JSON.stringify(value)}`
      const known = counts.get(key)
      if (known) known.count++
      else counts.set(key, { field, value, schema_version, count: 1 })
    }
  return [...counts.values()].sort((a, b) => b.count - a.count || a.schema_version - b.schema_version)
}
