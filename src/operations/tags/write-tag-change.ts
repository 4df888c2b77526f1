import type { FieldMap } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { checkNamesAreFree } from '#src/domain/name-obstacle.ts'
import { entryRenamer, nullsInTheWay, type TagRename } from '#src/domain/renamed-entry.ts'
import { hasRenames, type TagRenames } from '#src/domain/tag-renames.ts'
import { tagValuesUpdated } from '#src/operations/items/item-events.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import type { Db } from '#src/sql/query.ts'
import { replaceItemTags } from '#src/storage/items/item-tags.ts'
import { outdateLeaving } from '#src/storage/large/leaving-items.ts'
import { rebuildingIndexes } from '#src/storage/large/rebuild-indexes.ts'
import { touchItems } from '#src/storage/items/items.ts'
import { countEntries, pagesOfTaggedItems, type TaggedItem } from '#src/storage/items/tagged-items.ts'
import { type TagState, updateTagRow } from '#src/storage/tags/change-tags.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'
import { markWordsOfFields } from '#src/storage/words/mark-words.ts'
import { reindexField } from '#src/storage/value-index/field-values.ts'
import { renameInStoredFilters } from '#src/storage/views/rename-in-stored-filters.ts'

/**
 * Brings a tag to another state: with renames, its values on all items, deleted ones too, and the filters of views
 * follow. The event is the caller's.
 * @throws BadRequest where a renamed value would take the place of another
 */
export async function writeTagChange(
  context: SqlContext,
  tag: StoredTag,
  state: TagState,
  bases: readonly number[] | null,
  renames: TagRenames,
): Promise<StoredTag> {
  const { db, now } = context
  await outdateLeaving(db)
  const { tag: updated, retyped } = await updateTagRow(db, tag, state, bases, renames.fields)
  if (hasRenames(renames)) {
    const rename: TagRename = {
      renames,
      before: JSON.parse(tag.fields) as FieldMap,
      after: JSON.parse(state.fields) as FieldMap,
      old_schema_version: tag.schema_version,
      schema_version: state.schema_version,
    }
    const written = { times: await countEntries(db, tag.id), presence: 0 }
    await rebuildingIndexes(db, written, () => renameValues(context, tag, rename))
    await renameInStoredFilters(db, tag.tag_id, renames, now)
  }
  await markOtherTexts(db, tag, updated)
  const again = new Map(retyped.map((row) => [row.name, row]))
  for (const field of renames.variants.keys()) {
    const row = updated.rows.get(field)
    if (row) again.set(field, row)
  }
  for (const field of again.values()) await reindexField(db, tag.id, field)
  return updated
}

/** Values of a field that leaves the schema, or comes back, are searched no longer, or again. */
async function markOtherTexts(db: Db, before: StoredTag, after: StoredTag): Promise<void> {
  const ids = (tag: StoredTag) => new Set([...tag.catalog.fields.values()].map(({ id }) => id))
  const [had, has] = [ids(before), ids(after)]
  const other = [...before.rows.values(), ...after.rows.values()].filter(
    ({ id }) => had.has(id) !== has.has(id),
  )
  await markWordsOfFields(db, [...new Map(other.map((row) => [row.id, row])).values()])
}

async function renameValues(context: SqlContext, tag: StoredTag, rename: TagRename): Promise<void> {
  const { db, now } = context
  const renamed = entryRenamer(rename)
  for await (const page of pagesOfTaggedItems(db, tag.id, rename.schema_version)) {
    const entries = page.map((row) => ({ row, values: JSON.parse(row.field_values) as FieldValues }))
    const dropped = entries.flatMap(({ row, values }) => {
      checkNamesAreFree(row, values, rename.renames)
      const names = nullsInTheWay(values, rename.renames)
      return names.length ? [{ row, names }] : []
    })
    await appendEvents(
      db,
      context,
      dropped.map(({ row, names }) => nullsDropped(row, names, tag)),
    )
    const rows = entries.flatMap(({ row: { item, schema_version }, values }) => {
      const entry = { schema_version, values }
      const after = renamed(entry)
      if (after === entry) return []
      return [{ item, schema_version: after.schema_version, field_values: JSON.stringify(after.values) }]
    })
    if (!rows.length) continue
    await replaceItemTags(db, tag.id, rows)
    await touchItems(
      db,
      rows.map(({ item }) => item),
      now,
    )
  }
}

/** Recorded by itself, so that it can be undone: what a rename does to values is not recorded item by item. */
function nullsDropped({ item_id, schema_version }: TaggedItem, names: string[], { tag_id, name }: StoredTag) {
  const old_values = Object.fromEntries(names.map((each) => [each, null]))
  const event = tagValuesUpdated(
    item_id,
    { tag_id, name, schema_version },
    { fields_changed: names, old_values, new_values: {} },
    schema_version,
  )
  return { ...event, state: { ...event.state, updated_at: null } }
}
