import { Type } from 'typebox'
import { invalid } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { type Condition, conditionsOf, fieldsOf } from '#src/filter/meaning/filter-conditions.ts'
import type { BoundFilter, FieldReference } from '#src/filter/meaning/bound-filter.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { leftField } from '#src/filter/meaning/bound-field.ts'
import { filterWords } from '#src/filter/words/filter-words.ts'
import { valueMet } from '#src/operations/filters/value-met.ts'
import { type Why, whyNot } from '#src/operations/filters/why-not.ts'
import { readAsked } from '#src/operations/views/narrowed-view.ts'
import { NarrowingView } from '#src/operations/views/view-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Id, ItemFilter, TimeZone } from '#src/operations/schemas/inputs.ts'
import type { Db } from '#src/sql/query.ts'
import { itemNotFound } from '#src/storage/items/items.ts'
import { type MergingItem, mergingItems } from '#src/storage/items/merging-items.ts'
import { explainMatching } from '#src/storage/search/explain-matching.ts'
import { countMatching, someMatching } from '#src/storage/search/matching-items.ts'
import { correctWords } from '#src/storage/words/stands-for.ts'

/** Conditions that are counted. */
const MAX_COUNTED = 20
/** Conditions that are listed. */
const MAX_TOLD = 100

type PlanOf = (part: BoundFilter) => FilterPlan

export const explainQuery = defineOperation({
  name: 'explainQuery',
  summary:
    'Tell in English what a filter means and what it finds, condition by condition, or why an item is not in it.',
  description:
    'Each condition is counted by itself, up to 20 of them; `no_value` counts, of the items that have the tag, those ' +
    'without a value in the field. With `item_id` also whether that item matches, what each condition meets on it, and ' +
    'why one fails.',
  tool_description: '`no_value`: items with the tag and no value.',
  access: 'user',
  in_part: true,
  effect: 'read',
  rest: 'POST /api/filters/explain',
  tool: 'explain_query',
  input: Type.Object(
    {
      filter: Type.Optional(ItemFilter),
      view_id: Type.Optional(NarrowingView),
      item_id: Type.Optional(Id('Also why this item matches or does not')),
      plan: Type.Optional(Type.Boolean({ description: 'Also how it is carried out' })),
      time_zone: Type.Optional(TimeZone),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    words: Type.String({ description: 'The filter in English' }),
    matched_count: Type.Integer({ minimum: 0 }),
    warnings: Type.Array(Type.String(), { description: 'What can never match as it is written' }),
    conditions: Type.Array(
      Type.Object({
        words: Type.String(),
        matched_count: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
          description: 'Items that satisfy this condition alone; null beyond the 20th',
        }),
        no_value: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
          description: 'By field: items that have the tag and no value',
        }),
      }),
      { description: `The first ${MAX_TOLD}` },
    ),
    item: Type.Optional(
      Type.Object({
        matches: Type.Boolean(),
        conditions: Type.Array(
          Type.Object({
            words: Type.String(),
            matches: Type.Boolean(),
            value: Type.Unsafe<unknown>({
              description:
                'What the condition met; of has_tag the item’s tags, of what refers to it their number',
            }),
            why: Type.Optional(
              Type.Unsafe<Why['why']>({
                enum: ['no_value', 'outdated', 'deleted', 'differs'],
                description:
                  'Of one that fails: nothing is there, the value does not fit the present schema, what it leads to is deleted, or it is another value',
              }),
            ),
            schema_version: Type.Optional(
              Type.Integer({ minimum: 1, description: 'Of an outdated value: the version that it is of' }),
            ),
            current_version: Type.Optional(Type.Integer({ minimum: 1 })),
          }),
        ),
      }),
    ),
    sql: Type.Optional(Type.String({ description: 'With `plan`: the statement that finds the items' })),
    plan: Type.Optional(
      Type.Array(Type.String(), { description: 'With `plan`: how the database carries it out' }),
    ),
  }),
  errors: ['NotFound'],
  example: { input: { filter: { not: { 'Task.due': { lt: '2026-02-01' } } } } },
  async run(context, { filter: own, view_id, item_id, plan: wantsPlan = false }) {
    const { db } = context
    const asked = await readAsked(context, own, view_id)
    if (!asked) throw invalid([{ path: 'filter', message: 'is required' }])
    const item = item_id === undefined ? undefined : await itemToExplain(db, item_id)
    const { filter, planOf, warnings, ...read } = asked
    const { plan, warnings: mended } = await correctWords(db, read.plan)
    const conditions = conditionsOf(filter).slice(0, MAX_TOLD)
    const told = []
    for (const [i, condition] of conditions.entries())
      told.push(
        i < MAX_COUNTED
          ? await countCondition(db, condition, planOf)
          : { words: filterWords(condition.filter), matched_count: null, no_value: {} },
      )
    return {
      words: filterWords(filter),
      matched_count: await countMatching(db, plan),
      warnings: [...warnings, ...mended],
      conditions: told,
      ...(item && { item: await explainItem(db, item, plan, conditions, planOf) }),
      ...(wantsPlan && (await explainMatching(db, plan))),
    }
  },
})

/** @throws NotFound, also for a deleted item: no filter finds it */
async function itemToExplain(db: Db, text: string): Promise<MergingItem> {
  const id = parseUlid(text)
  const item = id === null ? undefined : (await mergingItems(db, [id])).get(id)
  if (!item) throw itemNotFound(text)
  return item
}

async function countCondition(db: Db, { filter, leaf }: Condition, planOf: PlanOf) {
  const no_value: Record<string, number> = {}
  for (const reference of fieldsOf(leaf))
    no_value[`${reference.tag.name}.${reference.name}`] = await countMatching(db, withoutValue(reference))
  const matched_count = await countMatching(db, await asSearched(db, planOf(filter)))
  return { words: filterWords(filter), matched_count, no_value }
}

/** With the words that a search takes for mistyped ones: it is explained what that finds. */
const asSearched = async (db: Db, plan: FilterPlan): Promise<FilterPlan> =>
  (await correctWords(db, plan)).plan

function withoutValue(reference: FieldReference): FilterPlan {
  const { tag } = reference
  const field = reference.field ?? leftField(reference)
  const tagged: FilterPlan = { kind: 'has_tag', tags: [tag.id] }
  if (!field) return tagged
  return { kind: 'and', children: [tagged, { kind: 'field', field, test: { test: 'absent' } }] }
}

async function explainItem(
  db: Db,
  item: MergingItem,
  plan: FilterPlan,
  conditions: readonly Condition[],
  planOf: PlanOf,
) {
  const satisfies = (part: FilterPlan) =>
    someMatching(db, { kind: 'and', children: [{ kind: 'id', items: [item.id] }, part] })
  const told = []
  for (const { filter, leaf } of conditions) {
    const matches = await satisfies(await asSearched(db, planOf(filter)))
    const value = await valueMet(db, item, leaf, planOf)
    const why = matches ? {} : await whyNot(db, leaf, { item, value, planOf })
    told.push({ words: filterWords(filter), matches, value, ...why })
  }
  return { matches: await satisfies(plan), conditions: told }
}
