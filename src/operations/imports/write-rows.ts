import type { FieldValues } from '#src/domain/field-values.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { addItems } from '#src/operations/items/add-items.ts'
import { tagApplied, tagValuesUpdated } from '#src/operations/items/item-events.ts'
import { fieldValueChanges } from '#src/domain/field-value-changes.ts'
import {
  type MadeRef,
  type PlannedChange,
  type PlannedRow,
  type RowPlanner,
} from '#src/operations/imports/plan-rows.ts'
import { type ImportPlan, targetOf } from '#src/operations/imports/import-plan.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { TagToApply } from '#src/operations/schemas/inputs.ts'
import { appendEvents, type AuditEvent } from '#src/storage/log/audit-log.ts'
import { insertItemTags, replaceItemTags } from '#src/storage/items/item-tags.ts'
import { touchItems, writeItem } from '#src/storage/items/items.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'
import { indexApplied, reindexValuesOfMany } from '#src/storage/value-index/field-values.ts'

type Created = Extract<PlannedRow, { is: 'created' }>
type Changed = Extract<PlannedRow, { is: 'changed' }>

/** Writes what was planned of rows; the items that came of them, by the number of the row. */
export async function writeRows(
  context: SqlContext,
  plan: ImportPlan,
  { tags }: RowPlanner,
  planned: readonly PlannedRow[],
): Promise<Map<number, Ulid>> {
  const created = planned.filter((each) => each.is === 'created')
  const changed = planned.filter((each) => each.is === 'changed')
  const made = await makeItems(context, plan, [...created, ...changed])
  const items = new Map<number, Ulid>()
  const ids = await addItems(
    context,
    created.map((each) => newItem(each, tags[each.row.t] ?? null, made)),
    (index) => `line ${created[index]!.row.line}: `,
  )
  for (const [i, { row }] of created.entries()) items.set(row.n, ids[i]!)
  for (const [t, rows] of Map.groupBy(changed, ({ row }) => row.t))
    await writeChanges(
      context,
      tags[t] ?? null,
      rows.map((each) => withMade(each, made)),
    )
  for (const each of planned)
    if (each.is === 'changed' || each.is === 'unchanged') items.set(each.row.n, each.item.item_id)
  return items
}

type Made = (row: PlannedRow['row'], ref: MadeRef) => unknown

/** Items that are missing and asked for, each once. */
async function makeItems(
  context: SqlContext,
  plan: ImportPlan,
  rows: readonly (Created | Changed)[],
): Promise<Made> {
  const wanted = new Map<string, { name: string; tag_id: Ulid | undefined }>()
  const placeOf = (t: number, field: string, name: string) => {
    const { of_tags } = targetOf(plan, t, field)
    return { place: `${of_tags[0] ?? ''} ${name}`, tag_id: of_tags[0] }
  }
  for (const { row, made } of rows)
    for (const { field, items } of made)
      for (const item of items)
        if ('make' in item) {
          const { place, tag_id } = placeOf(row.t, field, item.make)
          wanted.set(place, { name: item.make, tag_id })
        }
  const all = [...wanted.values()]
  const added = await addItems(
    context,
    all.map(({ name, tag_id }) => ({
      name,
      ...(tag_id !== undefined && { tags: [{ tag_ref: { Existing: tag_id } }] }),
    })),
    () => '',
  )
  const ids = new Map([...wanted.keys()].map((place, i) => [place, added[i]!]))
  return (row, { field, items, isMany }) => {
    const found = items.map((item) =>
      'id' in item ? item.id : ids.get(placeOf(row.t, field, item.make).place)!,
    )
    return isMany ? found : found[0]
  }
}

function newItem({ row, name, description, values, made }: Created, tag: StoredTag | null, madeOf: Made) {
  const field_values: FieldValues = {
    ...values,
    ...Object.fromEntries(made.map((ref) => [ref.field, madeOf(row, ref)])),
  }
  const tags: TagToApply[] = tag ? [{ tag_ref: { Existing: tag.tag_id }, field_values }] : []
  return { name, tags, ...(description !== null && { description }) }
}

function withMade(change: Changed, madeOf: Made): PlannedChange {
  if (!change.made.length) return change
  const added = Object.fromEntries(change.made.map((ref) => [ref.field, madeOf(change.row, ref)]))
  const values = { ...change.values, ...added }
  const stored = change.entry ? (JSON.parse(change.entry.field_values) as FieldValues) : {}
  return { ...change, values, changes: fieldValueChanges(stored, values) }
}

async function writeChanges(
  context: SqlContext,
  tag: StoredTag | null,
  rows: readonly PlannedChange[],
): Promise<void> {
  await writeTexts(
    context,
    rows.filter(({ item, name, description }) => item.name !== name || item.description !== description),
  )
  if (!tag) return
  await applyTags(
    context,
    tag,
    rows.filter(({ entry }) => !entry),
  )
  await writeEntries(
    context,
    tag,
    rows.filter(
      ({ entry, changes }) =>
        entry && (changes.fields_changed.length || entry.schema_version !== tag.schema_version),
    ),
  )
}

async function writeTexts(context: SqlContext, rows: readonly PlannedChange[]): Promise<void> {
  if (!rows.length) return
  const { db, now, change } = context
  change.beginPart()
  const events: AuditEvent[] = []
  for (const { item, name, description } of rows) {
    await writeItem(db, { id: item.id, name, description }, now, change.growth)
    const next = { name, description }
    const fields_changed = (['name', 'description'] as const).filter((field) => next[field] !== item[field])
    const changed = (values: typeof next) =>
      Object.fromEntries(fields_changed.map((field) => [field, values[field]]))
    events.push({
      event_type: 'item_updated',
      entity_type: 'item',
      item_id: item.item_id,
      name: item.name,
      details: { fields_changed, old_values: changed(item), new_values: changed(next) },
    })
  }
  await appendEvents(db, context, events)
}

async function applyTags(context: SqlContext, tag: StoredTag, rows: readonly PlannedChange[]): Promise<void> {
  if (!rows.length) return
  const { db, now, change } = context
  change.beginPart()
  const texts = rows.map(({ values }) => JSON.stringify(values))
  await insertItemTags(
    db,
    rows.map(({ item }, i) => [item.id, tag.id, tag.schema_version, texts[i]!]),
  )
  await indexApplied(
    db,
    rows.map(({ item, values }) => ({ item: item.id, tag, values })),
  )
  await touchItems(db, rows.map(rowId), now)
  await appendEvents(
    db,
    context,
    rows.map(({ item }, i) => tagApplied(item.item_id, tag, texts[i]!)),
  )
}

async function writeEntries(
  context: SqlContext,
  tag: StoredTag,
  rows: readonly PlannedChange[],
): Promise<void> {
  if (!rows.length) return
  const { db, now, change } = context
  const { schema_version } = tag
  change.beginPart()
  await replaceItemTags(
    db,
    tag.id,
    rows.map(({ item, values, entry }) => ({
      item: item.id,
      schema_version,
      old_schema_version: entry!.schema_version,
      field_values: JSON.stringify(values),
    })),
  )
  await reindexValuesOfMany(
    db,
    tag,
    rows.map(({ item, entry, values }) => ({
      item: item.id,
      before: JSON.parse(entry!.field_values) as FieldValues,
      after: values,
    })),
  )
  await touchItems(db, rows.map(rowId), now)
  await appendEvents(
    db,
    context,
    rows.map(({ item, changes, entry }) =>
      tagValuesUpdated(item.item_id, tag, changes, entry!.schema_version),
    ),
  )
}

const rowId = ({ item }: PlannedChange): number => item.id
