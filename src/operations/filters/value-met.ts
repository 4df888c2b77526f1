import type { BoundFilter, BoundLeaf } from '#src/filter/meaning/bound-filter.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { leftField } from '#src/filter/meaning/bound-field.ts'
import type { ValuePath } from '#src/filter/meaning/value-path.ts'
import type { Db } from '#src/sql/query.ts'
import { entriesOfItems, type MergingItem } from '#src/storage/items/merging-items.ts'
import { newestOwnEvent } from '#src/storage/changes/item-history.ts'
import { pathValues } from '#src/storage/items/path-values.ts'
import { countMatching } from '#src/storage/search/matching-items.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'

/**
 * What a condition meets on an item (additions §12): the value of its field or at the end of its path, names of the
 * item's tags, when it last changed, how many items refer to it; null where there is nothing, and for a search.
 */
export async function valueMet(
  db: Db,
  item: MergingItem,
  leaf: BoundLeaf,
  planOf: (part: BoundFilter) => FilterPlan,
): Promise<unknown> {
  switch (leaf.kind) {
    case 'search':
      return null
    case 'changed':
      return newestOwnEvent(db, item.item_id)
    case 'column':
      return leaf.column === 'id' ? item.item_id : item[leaf.column]
    case 'has_tag':
      return tagNames(db, item)
    case 'field':
    case 'hop': {
      const path = pathOf(leaf)
      return path ? ((await pathValues(db, path, [item.id])).get(item.id) ?? null) : null
    }
    case 'reverse': {
      const { reference, filter } = leaf
      const target: FilterPlan = { kind: 'id', items: [item.id] }
      const refers: FilterPlan = { kind: 'hop', field: reference.field, target }
      if (!filter) return countMatching(db, refers)
      return countMatching(db, { kind: 'and', children: [refers, planOf(filter)] })
    }
  }
}

/** Undefined where the path ends at no value. */
function pathOf(leaf: BoundLeaf): ValuePath | undefined {
  if (leaf.kind === 'field') {
    const field = leaf.reference.field ?? leftField(leaf.reference)
    return field && { kind: 'field', hops: [], field }
  }
  if (leaf.kind !== 'hop') return undefined
  const { field } = leaf.reference
  const rest = pathOf(leaf.target)
  if (rest) return { ...rest, hops: [field, ...rest.hops] }
  if (leaf.target.kind === 'column' && leaf.target.column === 'name') return { kind: 'name', hops: [field] }
  // What else may be there is said by what is referred to.
  return { kind: 'field', hops: [], field }
}

async function tagNames(db: Db, { id }: MergingItem): Promise<string[]> {
  const names: string[] = []
  for (const { tag } of await entriesOfItems(db, [id])) names.push((await findTagByRow(db, tag))!.name)
  return names
}
