import { Type } from 'typebox'
import { convertValues, idsIn } from '#src/domain/convert-value.ts'
import { fieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { recordChange, writeChange } from '#src/operations/changes/recorded-change.ts'
import { tagValuesUpdated } from '#src/operations/items/item-events.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import type { Ulid as ItemId } from '#src/domain/ulid.ts'
import { DryRun, TagIdInPath } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { tagOfCall } from '#src/operations/tags/tag-of-call.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { replaceItemTags } from '#src/storage/items/item-tags.ts'
import { touchItems } from '#src/storage/items/items.ts'
import { pagesOfTaggedItems, type TaggedItem } from '#src/storage/items/tagged-items.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'
import { reindexValuesOfMany } from '#src/storage/value-index/field-values.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

/** Values that an answer names; the rest is counted. */
const MAX_UNFITTING = 1000

export const migrateTagValues = defineOperation({
  name: 'migrateTagValues',
  summary:
    'Bring the values of items that have an older version of a tag to its present schema, where they fit.',
  description:
    'Converts what loses nothing: numbers and dates written as text, names of variants, a Reference to a ' +
    'MultiReference of one. An item with a value that does not fit stays as it is, unless `drop_unfitting`. ' +
    `\`unfitting\` names the first ${MAX_UNFITTING} such values, \`unfitting_count\` counts all.`,
  tool_description:
    'Converts what loses nothing. An item with a value that does not fit stays as it is, unless `drop_unfitting`.',
  access: 'user',
  effect: 'write',
  long: true,
  rest: 'POST /api/tags/{tag_id}/migrate',
  tool: 'migrate_tag_values',
  hints: { destructive: true, idempotent: true },
  input: Type.Object(
    {
      tag_id: TagIdInPath,
      dry_run: Type.Optional(DryRun),
      drop_unfitting: Type.Optional(
        Type.Boolean({ description: 'Take values that do not fit off the items; default false' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    migrated: Type.Integer({ minimum: 0, description: 'Items' }),
    unfitting: Type.Array(
      Type.Object({ item_id: Ulid, field: Type.String(), value: Type.Unsafe<unknown>({}) }),
      { description: `The first ${MAX_UNFITTING} values that do not fit, oldest versions first` },
    ),
    unfitting_count: Type.Integer({ minimum: 0 }),
    dry_run: Type.Boolean(),
  }),
  errors: ['NotFound'],
  example: { input: { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TG', dry_run: true } },
  plan: (context, input) => recordChange(context, (recording) => migrateValues(recording, input)),
  run: async (context, input) => (await writeChange(context)) ?? migrateValues(context, input),
})

interface MigrateInput {
  tag_id: string
  dry_run?: boolean
  drop_unfitting?: boolean
}

async function migrateValues(
  context: SqlContext,
  { tag_id, dry_run = false, drop_unfitting = false }: MigrateInput,
) {
  const { db } = context
  const tag = await tagOfCall(context, tag_id)
  const unfitting: { item_id: ItemId; field: string; value: unknown }[] = []
  let [migrated, unfitting_count] = [0, 0]
  for await (const page of pagesOfTaggedItems(db, tag.id, tag.schema_version)) {
    const found = await convertPage(context, tag, page)
    for (const { row, before, lost } of found)
      for (const field of lost)
        if (++unfitting_count <= MAX_UNFITTING)
          unfitting.push({ item_id: row.item_id, field, value: before[field] })
    const fitting = found.filter(({ lost }) => drop_unfitting || !lost.length)
    migrated += fitting.length
    if (!dry_run && fitting.length) await store(context, tag, fitting)
  }
  return { migrated, unfitting, unfitting_count, dry_run }
}

interface Conversion {
  row: TaggedItem
  before: FieldValues
  after: FieldValues
  /** Fields of which the value does not fit. */
  lost: string[]
}

async function convertPage(
  { db }: SqlContext,
  tag: StoredTag,
  page: readonly TaggedItem[],
): Promise<Conversion[]> {
  const live = page
    .filter(({ deleted_at }) => deleted_at === null)
    .map((row) => ({ row, before: JSON.parse(row.field_values) as FieldValues }))
  const targets = await findTargets(db, new Set(live.flatMap(({ before }) => [...idsIn(before)])))
  return live.map(({ row, before }) => {
    const { values, unfitting } = convertValues(tag.schema, before, (item_id) => targets.has(item_id))
    return { row, before, after: values, lost: unfitting }
  })
}

async function store(context: SqlContext, tag: StoredTag, converted: readonly Conversion[]): Promise<void> {
  const { db, now } = context
  const { schema_version } = tag
  const changed = converted.map(({ row: { item }, before, after }) => ({ item, before, after }))
  await replaceItemTags(
    db,
    tag.id,
    changed.map(({ item, after }) => ({ item, schema_version, field_values: JSON.stringify(after) })),
  )
  await reindexValuesOfMany(db, tag, changed)
  await touchItems(
    db,
    changed.map(({ item }) => item),
    now,
  )
  await appendEvents(
    db,
    context,
    converted.map(({ row, before, after }) =>
      tagValuesUpdated(row.item_id, tag, fieldValueChanges(before, after), row.schema_version),
    ),
  )
}
