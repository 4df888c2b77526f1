import { itemsNamed } from '#src/operations/imports/meet-items.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { tagsOfItems } from '#src/storage/items/item-tags.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'

/** The tag of which some item has each of the names; undefined where there is none. */
export async function tagOfNames(context: SqlContext, names: readonly string[]): Promise<string | undefined> {
  const found = await itemsNamed(context, names, [])
  if (found.size < names.length) return undefined
  const nameOf = new Map([...found].flatMap(([name, items]) => items.map(({ id }) => [id, name])))
  const namesByTag = new Map<number, Set<string>>()
  for (const { item, tag } of await tagsOfItems(context.db, [...nameOf.keys()]))
    (namesByTag.get(tag) ?? namesByTag.set(tag, new Set()).get(tag)!).add(nameOf.get(item)!)
  const tag = [...namesByTag].find(([, named]) => named.size === names.length)?.[0]
  return tag === undefined ? undefined : (await findTagByRow(context.db, tag))?.name
}
