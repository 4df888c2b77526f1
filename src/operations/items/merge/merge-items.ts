import { Type } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { laterThan } from '#src/domain/precondition.ts'
import { Reply } from '#src/domain/reply.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import { parseUlid, type Ulid as Id } from '#src/domain/ulid.ts'
import { recordChange, writeChange } from '#src/operations/changes/recorded-change.ts'
import { type MergePlan, planMerge, type Repointed } from '#src/operations/items/merge/plan-merge.ts'
import { repoint } from '#src/operations/items/merge/repoint.ts'
import { storeMerge } from '#src/operations/items/merge/store-merge.ts'
import { answerFieldsOf } from '#src/operations/items/answer-fields.ts'
import { ReturnFields } from '#src/operations/paging.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import { DryRun, ItemId, MAX_ID } from '#src/operations/schemas/inputs.ts'
import { Item, Ulid } from '#src/operations/schemas/answers.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import { itemNotFound } from '#src/storage/items/items.ts'
import { mergingItems, type MergingItem } from '#src/storage/items/merging-items.ts'

const MAX_MERGED = 100

export const mergeItems = defineOperation({
  name: 'mergeItems',
  summary: 'Make one item of several that stand for the same thing.',
  description:
    'References to the others point to this item; it takes over tags, values and a description that it lacks, lists ' +
    'are united, its name stays; then the others are deleted. Sub-fields come with their variant. One change, which ' +
    'can be undone. References of deleted items stay as they are.',
  tool_description:
    'Takes over references, tags, values, a missing description; unites lists, deletes the others. undo_changes takes it back.',
  access: 'user',
  effect: 'write',
  long: true,
  rest: 'POST /api/items/{item_id}/merge',
  tool: 'merge_items',
  hints: { destructive: true },
  input: Type.Object(
    {
      item_id: ItemId,
      from: Type.Array(Type.String({ maxLength: MAX_ID }), {
        minItems: 1,
        maxItems: MAX_MERGED,
        description: `Ids of the items that go into it, 1–${MAX_MERGED}`,
        inTools: `Those that go into it, 1–${MAX_MERGED}`,
      }),
      prefer: Type.Optional(
        Type.Union([Type.Literal('kept'), Type.Literal('newest')], {
          description:
            'Where several have a value: that of this item, else of the first in `from` (kept, the default); or of the ' +
            'one changed last (newest)',
          inTools: 'Its own value, else of the first in `from` (kept, default); or the last changed (newest)',
        }),
      ),
      dry_run: Type.Optional(DryRun),
      return_fields: Type.Optional(ReturnFields),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    item: Item,
    repointed: Type.Array(Type.Object({ item_id: Ulid, tag_id: Ulid, field: Type.String() }), {
      description: 'The references that point to this item now',
    }),
    taken: Type.Array(
      Type.Object({
        path: Type.String({
          description: 'description, <Tag> (with its values), or <Tag>.<field>; of a list what was added',
          examples: ['Person.email'],
        }),
        from: Ulid,
        value: Type.Unsafe<unknown>({}),
      }),
    ),
    deleted_ids: Type.Array(Ulid),
    change_id: Type.Union([Ulid, Type.Null()], { description: 'null in a dry run' }),
    dry_run: Type.Boolean(),
  }),
  errors: ['NotFound'],
  example: {
    input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', from: ['01JJXZ5T7GQ3M8K4B9R2C6D0EG'], dry_run: true },
  },
  plan: (context, { item_id, from }) =>
    recordChange(context, async (recording) => {
      const items = await readItems(recording, item_id, from)
      return new Reply(sorted(await repoint(recording, items, false)))
    }),
  async run(context, { item_id, from, prefer = 'kept', dry_run = false, return_fields }) {
    const { db, change } = context
    const { kept, others } = await readItems(context, item_id, from)
    const plan = await planMerge(db, kept, others, prefer)
    const beside = await writeChange(context)
    if (beside && rollbackReason(beside)) return beside
    // All of them, or those that have come to refer to an item that goes since that was worked out.
    const rest = await repoint(context, plan, dry_run)
    const repointed = addTo(beside?.json, [...plan.repointed, ...rest])
    if (!dry_run) await storeMerge(context, plan)
    if (return_fields && !dry_run)
      return new Reply(await answerFieldsOf(context, return_fields, kept.item_id))
    const answer = JSON.stringify({
      taken: plan.taken,
      deleted_ids: others.map((other) => other.item_id),
      change_id: dry_run || change.lastEvent === null ? null : change.id,
      dry_run,
    })
    const item = dry_run ? JSON.stringify(itemAsPlanned(plan, context.now)) : await itemJson(db, kept.item_id)
    return new Reply(`{"item":${item},"repointed":${repointed},${answer.slice(1)}`)
  },
})

/** @throws NotFound, BadRequest for an item that is named twice */
async function readItems(
  { db }: SqlContext,
  item_id: string,
  from: readonly string[],
): Promise<{ kept: MergingItem; others: MergingItem[] }> {
  const ids = [item_id, ...from].map((text) => parseUlid(text))
  const items = await mergingItems(
    db,
    ids.filter((id) => id !== null),
  )
  const find = (text: string, id: Id | null) => {
    const item = id === null ? undefined : items.get(id)
    if (!item) throw itemNotFound(text)
    return item
  }
  const kept = find(item_id, ids[0]!)
  const others = from.map((text, i) => find(text, ids[i + 1]!))
  const seen = new Set([kept])
  const problems: Problem[] = []
  for (const [i, other] of others.entries()) {
    const message = other === kept ? 'is the item that stays' : 'this item appears here twice'
    if (seen.has(other)) problems.push({ path: `from[${i}]`, message })
    seen.add(other)
  }
  if (problems.length) throw invalid(problems)
  return { kept, others }
}

/** JSON text, in order, as `before` is. */
const addTo = (before: string | undefined, more: Repointed[]): string =>
  before && !more.length ? before : sorted([...(JSON.parse(before ?? '[]') as Repointed[]), ...more])

const sorted = (repointed: Repointed[]): string =>
  JSON.stringify(
    repointed.sort(
      (a, b) => compare(a.item_id, b.item_id) || compare(a.tag_id, b.tag_id) || compare(a.field, b.field),
    ),
  )

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The item in its single form as the merge would leave it. */
function itemAsPlanned({ kept, description, entries }: MergePlan, now: Date) {
  const { item_id, name, created_at, updated_at } = kept
  const changes = description !== kept.description || entries.some(({ changed }) => changed)
  const data = entries.map(({ tag, schema_version, values }) => [
    tag.tag_id,
    { tag_name: tag.name, schema_version, field_values: values },
  ])
  return {
    item_id,
    id: item_id,
    name,
    description,
    data: Object.fromEntries(data) as object,
    created_at,
    updated_at: changes ? laterThan(updated_at, now) : updated_at,
  }
}
