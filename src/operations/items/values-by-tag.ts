import type { Db } from '#src/sql/query.ts'
import { tagsOfItems } from '#src/storage/items/item-tags.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'

/** All values of items (row ids), live or deleted, by the names of their tags, as JSON text. */
export async function valuesByTag(db: Db, items: readonly number[]): Promise<(item: number) => string> {
  const entries = new Map<number, string[]>(items.map((item) => [item, []]))
  for (const { item, tag, field_values } of await tagsOfItems(db, items)) {
    const { name } = (await findTagByRow(db, tag))!
    entries.get(item)!.push(`${JSON.stringify(name)}:${field_values}`)
  }
  return (item) => `{${entries.get(item)!.join()}}`
}
