import { fieldValueChanges } from '#src/domain/field-value-changes.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { repointValues } from '#src/domain/repoint-values.ts'
import { tagValuesUpdated } from '#src/operations/items/item-events.ts'
import type { MergePlan, Repointed } from '#src/operations/items/merge/plan-merge.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { itemsWithTag, replaceItemTags } from '#src/storage/items/item-tags.ts'
import { touchItems } from '#src/storage/items/items.ts'
import { referringItems } from '#src/storage/references/backlinks.ts'
import { findTagById, type StoredTag } from '#src/storage/tags/tags.ts'
import { reindexValuesOfMany } from '#src/storage/value-index/field-values.ts'

/** Items that are read and changed at once. */
const CHUNK = 5000

/** References of all other items to those that go point to the one that stays; a dry run only says which. */
export async function repoint(
  context: SqlContext,
  { kept, others }: Pick<MergePlan, 'kept' | 'others'>,
  dry_run: boolean,
): Promise<Repointed[]> {
  const { db } = context
  const goes = new Set(others.map(({ item_id }) => item_id))
  const merged = new Set([kept, ...others].map(({ id }) => id))
  const repointed: Repointed[] = []
  for (const [tag_id, items] of await referringItems(
    db,
    others.map(({ id }) => id),
  )) {
    const tag = (await findTagById(db, tag_id))!
    const rows = [...items.difference(merged)].sort((a, b) => a - b)
    for (let at = 0; at < rows.length; at += CHUNK) {
      const changed = await readChunk(context, tag, rows.slice(at, at + CHUNK), (values) =>
        repointValues(tag.schema, values, goes, kept.item_id),
      )
      for (const { item_id, changes } of changed)
        for (const field of changes.fields_changed) repointed.push({ item_id, tag_id, field })
      if (!dry_run) await storeChunk(context, tag, changed)
    }
  }
  return repointed
}

async function readChunk(
  { db }: SqlContext,
  tag: StoredTag,
  rows: readonly number[],
  change: (values: FieldValues) => FieldValues,
) {
  const entries = await itemsWithTag(db, tag.id, rows)
  return entries.map(({ item, item_id, schema_version, field_values }) => {
    const before = JSON.parse(field_values) as FieldValues
    const after = change(before)
    return { item, item_id, schema_version, before, after, changes: fieldValueChanges(before, after) }
  })
}

/** An entry keeps its version: only whom it means has changed. */
async function storeChunk(
  context: SqlContext,
  tag: StoredTag,
  changed: Awaited<ReturnType<typeof readChunk>>,
): Promise<void> {
  const { db, now } = context
  const stored = changed.map(({ item, schema_version, after }) => ({
    item,
    schema_version,
    old_schema_version: schema_version,
    field_values: JSON.stringify(after),
  }))
  context.change.beginPart()
  await replaceItemTags(db, tag.id, stored)
  await reindexValuesOfMany(db, tag, changed)
  await touchItems(
    db,
    changed.map(({ item }) => item),
    now,
  )
  await appendEvents(
    db,
    context,
    changed.map(({ item_id, schema_version, changes }) =>
      tagValuesUpdated(item_id, { ...named(tag), schema_version }, changes, schema_version),
    ),
  )
}

const named = ({ tag_id, name }: StoredTag) => ({ tag_id, name })
