import { Type } from 'typebox'
import type { BoundFilter, BoundLeaf, FieldReference } from '#src/filter/meaning/bound-filter.ts'
import { filterWords } from '#src/filter/words/filter-words.ts'
import type { BoundField, FilterPlan } from '#src/filter/meaning/plan.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { ItemFilter, TimeZone, Ulid } from '#src/operations/schemas.ts'
import { explainMatching } from '#src/storage/search/explain-matching.ts'
import { countMatching } from '#src/storage/search/matching-items.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

export const explainQuery = defineOperation({
  name: 'explainQuery',
  summary: 'Tell in English what a filter means, what it finds, and how it is carried out.',
  description:
    '`left_out_as_null` counts items that have a tag whose field the filter compares but no value in it, and that the filter therefore leaves out.',
  access: 'user',
  effect: 'read',
  rest: 'POST /api/filters/explain',
  tool: 'explain_query',
  input: Type.Object(
    { filter: ItemFilter, time_zone: Type.Optional(TimeZone) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    words: Type.String({ description: 'The filter in English' }),
    filter: ItemFilter,
    tags: Type.Array(Type.Object({ tag_id: Ulid, name: Type.String() })),
    fields: Type.Array(Type.Object({ tag_name: Type.String(), name: Type.String(), type: Type.String() })),
    warnings: Type.Array(Type.String()),
    matched_count: Type.Integer({ minimum: 0 }),
    left_out_as_null: Type.Integer({ minimum: 0 }),
    sql: Type.String({ description: 'The statement that finds the items' }),
    plan: Type.Array(Type.String(), { description: 'How the database carries it out' }),
  }),
  example: { input: { filter: { not: { 'Task.due': { lt: '2026-02-01' } } } } },
  async run(context, { filter: given }) {
    const { db } = context
    const { filter, plan, warnings } = await readFilter(given, tagCatalog(context))
    const leaves = leavesOf(filter)
    const references = leaves.flatMap(referencesOf)
    return {
      words: filterWords(filter),
      filter: resolvedFilter(filter),
      tags: distinct([
        ...leaves.flatMap((leaf) => (leaf.kind === 'has_tag' && leaf.tag ? [leaf.tag] : [])),
        ...references.map(({ tag }) => tag),
      ]).map(({ tag_id, name }) => ({ tag_id, name })),
      fields: distinct(references.flatMap(({ field }) => field ?? [])).map(({ tag_name, name, type }) => ({
        tag_name,
        name,
        type,
      })),
      warnings: [...warnings],
      matched_count: await countMatching(db, plan),
      left_out_as_null: await countMatching(db, leftOutAsNull(plan, leaves)),
      ...(await explainMatching(db, plan)),
    }
  },
})

function leavesOf(filter: BoundFilter): BoundLeaf[] {
  if ('children' in filter) return filter.children.flatMap(leavesOf)
  return 'child' in filter ? leavesOf(filter.child) : [filter]
}

/** The fields that a leaf speaks of, each hop's and the last one's. */
function referencesOf(leaf: BoundLeaf): FieldReference[] {
  if (leaf.kind === 'field') return [leaf.reference]
  if (leaf.kind === 'reverse')
    return [leaf.reference, ...(leaf.filter ? leavesOf(leaf.filter).flatMap(referencesOf) : [])]
  return leaf.kind === 'hop' ? [leaf.reference, ...referencesOf(leaf.target)] : []
}

const distinct = <T extends { id: number }>(list: readonly T[]): T[] => [
  ...new Map(list.map((each) => [each.id, each])).values(),
]

/** Has the tag of a compared field and no value in it, and does not satisfy the plan. */
function leftOutAsNull(plan: FilterPlan, leaves: readonly BoundLeaf[]): FilterPlan {
  const empty = leaves.flatMap((leaf): FilterPlan[] => {
    if (leaf.kind !== 'field' && leaf.kind !== 'hop') return []
    const { tag, field } = leaf.reference
    return field ? [{ kind: 'and', children: [{ kind: 'has_tag', tags: [tag.id] }, absent(field)] }] : []
  })
  if (!empty.length || plan.kind === 'always') return { kind: 'never' }
  const some: FilterPlan = empty.length > 1 ? { kind: 'or', children: empty } : empty[0]!
  return plan.kind === 'never' ? some : { kind: 'and', children: [some, { kind: 'not', child: plan }] }
}

const absent = (field: BoundField): FilterPlan => ({ kind: 'field', field, test: { test: 'absent' } })
