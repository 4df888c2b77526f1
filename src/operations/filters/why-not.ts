import type { Ulid } from '#src/domain/ulid.ts'
import type { BoundFilter, BoundLeaf, FieldReference } from '#src/filter/meaning/bound-filter.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { entriesOfItems, type MergingItem } from '#src/storage/items/merging-items.ts'
import { pathValues } from '#src/storage/items/path-values.ts'
import { someMatching } from '#src/storage/search/matching-items.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

/** Why an item does not satisfy a condition (further §18). */
export type Why =
  | { why: 'no_value' | 'deleted' | 'differs' }
  /** The value is of another version of the schema, and does not fit the present one. */
  | { why: 'outdated'; schema_version: number; current_version: number }

interface Asked {
  item: MergingItem
  /** What the condition met. */
  value: unknown
  planOf: (part: BoundFilter) => FilterPlan
}

/** Of a condition that fails. */
export async function whyNot(db: Db, leaf: BoundLeaf, { item, value, planOf }: Asked): Promise<Why> {
  if (leaf.kind !== 'field' && leaf.kind !== 'hop')
    return { why: isNothing(value) && leaf.kind !== 'search' ? 'no_value' : 'differs' }
  const end = await endOf(db, leaf, [item.id])
  if ('why' in end) return end
  if (end.reference) {
    const plan = planOf(asOutdated(leaf))
    const own: FilterPlan = { kind: 'id', items: [item.id] }
    if (await someMatching(db, { kind: 'and', children: [own, plan] }))
      return { why: 'outdated', ...(await versionsOf(db, end.reference, end.items)) }
  }
  return { why: isNothing(value) ? 'no_value' : 'differs' }
}

const isNothing = (value: unknown): boolean =>
  value === null || value === 0 || (Array.isArray(value) && value.every((each) => each === null))

/** The items at the end of the references, and the field that is tested there. */
async function endOf(
  db: Db,
  leaf: BoundLeaf,
  items: readonly number[],
): Promise<Why | { items: readonly number[]; reference?: FieldReference }> {
  if (leaf.kind === 'field') return { items, reference: leaf.reference }
  if (leaf.kind !== 'hop') return { items }
  const { field } = leaf.reference
  const values = await pathValues(db, { kind: 'field', hops: [], field }, items)
  const ids = [...values.values()].flat().filter((each): each is Ulid => typeof each === 'string')
  if (!ids.length) return { why: 'no_value' }
  const targets = await findTargets(db, ids)
  const living = [...targets.values()].flatMap(({ id, state }) => (state === 'live' ? [id] : []))
  return living.length ? endOf(db, leaf.target, living) : { why: 'deleted' }
}

/** The same path, asked whether its value fits the present schema. */
function asOutdated(leaf: BoundLeaf): BoundLeaf {
  if (leaf.kind === 'hop') return { ...leaf, target: asOutdated(leaf.target) }
  if (leaf.kind !== 'field') return leaf
  return { ...leaf, test: { operator: 'outdated', operand: true, given: { outdated: true } } }
}

/** Of several items the oldest. */
async function versionsOf(db: Db, { tag }: FieldReference, items: readonly number[]) {
  const entries = (await entriesOfItems(db, items)).filter((entry) => entry.tag === tag.id)
  const current_version = (await findTagByRow(db, tag.id))!.schema_version
  const versions = entries.map(({ schema_version }) => schema_version)
  return { schema_version: Math.min(current_version, ...versions), current_version }
}
