import type { FieldType } from '#src/domain/field-schema.ts'
import { chosenVariant } from '#src/domain/field-values.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { equalityKey } from '#src/filter/meaning/equality-key.ts'
import { bindValuePath } from '#src/filter/meaning/value-path.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { itemHeads, type ItemHead } from '#src/storage/items/items.ts'
import { pathValues } from '#src/storage/items/path-values.ts'
import { matchingItems } from '#src/storage/search/matching-items.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

/** More with one name or key than these are reported as "so many". */
const MOST = 20_000

const rowsOf = async (context: SqlContext, filter: object): Promise<number[]> => {
  const { plan } = await readFilter(filter, tagCatalog(context))
  return (await matchingItems(context.db, plan)).slice(0, MOST)
}

/** The living items that have each name, of those that have one of the tags, or of all. */
export async function itemsNamed(
  context: SqlContext,
  names: readonly string[],
  of_tags: readonly string[],
): Promise<Map<string, ItemHead[]>> {
  if (!names.length) return new Map()
  const named = { name: { in: names } }
  const tagged = of_tags.map((id) => ({ has_tag: { id } }))
  const ofAny = tagged.length > 1 ? { or: tagged } : tagged[0]
  const filter = ofAny ? { and: [named, ofAny] } : named
  const heads = await itemHeads(context.db, await rowsOf(context, filter))
  return Map.groupBy(heads, ({ name }) => name)
}

/** The same of the value that they have in a field, by its `equalityKey`. */
export async function itemsByValue(
  context: SqlContext,
  { place, type }: { place: string; type: FieldType },
  values: readonly unknown[],
): Promise<Map<string, ItemHead[]>> {
  if (!values.length) return new Map()
  const path = await bindValuePath(place, 'key', tagCatalog(context))
  // A field that the import is to add to the tag is on no item yet.
  if ('message' in path) return new Map()
  const operands = values.map((value) => chosenVariant(value) ?? value)
  const rows = await rowsOf(context, { [place]: { in: operands } })
  const found = await pathValues(context.db, path, rows)
  const heads = await itemHeads(context.db, rows)
  return Map.groupBy(heads, ({ id }) => equalityKey(type, found.get(id)))
}

/** The living ones of these ids. */
export async function itemsWithId(context: SqlContext, ids: readonly Ulid[]): Promise<Map<Ulid, ItemHead>> {
  const targets = await findTargets(context.db, ids)
  const live = [...targets.values()].filter(({ state }) => state === 'live')
  const heads = await itemHeads(
    context.db,
    live.map(({ id }) => id),
  )
  return new Map(heads.map((head) => [head.item_id, head]))
}
