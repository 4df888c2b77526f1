import type { FieldValues } from '#src/domain/field-values.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import { insertItemTags } from '#src/storage/items/item-tags.ts'
import { insertTexts, textRow } from '#src/storage/items/items.ts'
import { entriesOfWholeItems, wholeItemRows } from '#src/storage/items/whole-items.ts'
import { findTagById } from '#src/storage/tags/tags.ts'
import { parsedValues, type WholeItem } from '#src/storage/past/replay-items.ts'
import type { IndexedTag } from '#src/storage/value-index/fields.ts'
import {
  type AppliedValues,
  indexApplied,
  indexFields,
  referencedIds,
} from '#src/storage/value-index/field-values.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

/** Items that are written at once. */
const CHUNK = 1000

/** Items of the base (row ids) as they are, deleted ones too; purged ones are left out. */
export async function readWholeItems(base: Db, ids: readonly number[]): Promise<WholeItem[]> {
  const items: WholeItem[] = []
  for (let at = 0; at < ids.length; at += CHUNK) {
    const chunk = ids.slice(at, at + CHUNK)
    const rows = await wholeItemRows(base, chunk)
    const tags = new Map(rows.map(({ id }) => [id, new Map() as WholeItem['tags']]))
    for (const { item, tag_id, schema_version, field_values } of await entriesOfWholeItems(base, chunk))
      tags.get(item)!.set(tag_id, { schema_version, values: field_values })
    for (const { deleted_at, ...row } of rows)
      items.push({ ...row, deleted: deleted_at !== null, tags: tags.get(row.id)! })
  }
  return items
}

const insertItems = rowInserter('item', [
  'id',
  'item_id',
  'name',
  'description',
  'created_at',
  'updated_at',
  'deleted_at',
])
const insertPurged = rowInserter('purged_item', ['id', 'item_id'])

/** Writes items into the base of then with the fields that are wanted of a tag. */
export async function writeItems(
  base: Db,
  past: Db,
  items: readonly WholeItem[],
  fieldsOf: (tag: IndexedTag) => IndexedTag,
): Promise<void> {
  for (let at = 0; at < items.length; at += CHUNK)
    await writeSome(base, past, items.slice(at, at + CHUNK), fieldsOf)
}

async function writeSome(
  base: Db,
  past: Db,
  items: readonly WholeItem[],
  fieldsOf: (tag: IndexedTag) => IndexedTag,
): Promise<void> {
  await insertItems(
    past,
    items.map((item) => [
      item.id,
      item.item_id,
      item.name,
      item.description,
      item.created_at,
      item.updated_at,
      item.deleted ? item.updated_at : null,
    ]),
  )
  const known = await tagsOf(past, items)
  await insertItemTags(past, entryRows(items, known))
  const applied: AppliedValues[] = []
  const indexed = new Map([...known].map(([tag_id, tag]) => [tag_id, fieldsOf(tag)]))
  for (const { id, deleted, tags } of items)
    for (const [tag_id, { values }] of tags) {
      const wanted = indexed.get(tag_id)
      if (!wanted || deleted) continue
      applied.push({ item: id, tag: wanted, values: wanted.rows.size ? parsedValues(values) : {} })
    }
  if (!applied.length) return
  const targets = await findTargets(base, referencedIds(applied))
  await indexApplied(past, applied, targets, { fresh: true })
}

const entryRows = (items: readonly WholeItem[], known: ReadonlyMap<Ulid, IndexedTag>): unknown[][] =>
  items.flatMap(({ id, tags }) =>
    [...tags].flatMap(([tag_id, { schema_version, values }]) => {
      const tag = known.get(tag_id)
      return tag ? [[id, tag.id, schema_version, textOf(values)]] : []
    }),
  )

const setTimes = query((p: { id: number; updated_at: string; deleted_at: string | null }, sql) =>
  sql.updateTable('item').set({ updated_at: p.updated_at, deleted_at: p.deleted_at }).where('id', '=', p.id),
)
const withoutEntries = query((p: { ids: string }, sql, dialect) =>
  sql.deleteFrom('item_tag').where('item', 'in', dialect.integers(p.ids)),
)

/** Writes anew what is shown of items that are there: what is asked of them stays. */
export async function rewriteItems(past: Db, items: readonly WholeItem[]): Promise<void> {
  for (const { id, updated_at, deleted } of items)
    await past.enqueue(setTimes, { id, updated_at, deleted_at: deleted ? updated_at : null })
  await past.run(withoutEntries, { ids: JSON.stringify(items.map(({ id }) => id)) })
  await insertItemTags(past, entryRows(items, await tagsOf(past, items)))
}

const textOf = (values: FieldValues | string): string =>
  typeof values === 'string' ? values : JSON.stringify(values)

async function tagsOf(past: Db, items: readonly WholeItem[]): Promise<Map<Ulid, IndexedTag>> {
  const known = new Map<Ulid, IndexedTag>()
  for (const tag_id of new Set(items.flatMap(({ tags }) => [...tags.keys()]))) {
    const tag = await findTagById(past, tag_id)
    if (tag) known.set(tag_id, tag)
  }
  return known
}

const tagged = query((p: { tag: number; after: number }, sql) =>
  sql
    .selectFrom('item_tag')
    .innerJoin('item', 'item.id', 'item_tag.item')
    .select(['item_tag.item', 'item_tag.field_values'])
    .where('item_tag.tag', '=', p.tag)
    .where('item_tag.item', '>', p.after)
    .where('item.deleted_at', 'is', null)
    .orderBy('item_tag.item')
    .limit(CHUNK),
)

/** Indexes fields of items that are there. */
export async function writeFields(base: Db, past: Db, tag: IndexedTag): Promise<void> {
  for (let after = -1; ;) {
    const rows = await past.all(tagged, { tag: tag.id, after })
    const applied = rows.map(({ item, field_values }) => ({
      item,
      tag,
      values: JSON.parse(field_values) as FieldValues,
    }))
    await indexFields(past, applied, await findTargets(base, referencedIds(applied)))
    if (rows.length < CHUNK) return
    after = rows.at(-1)!.item
  }
}

/** Texts as searches look at them. */
export const writeTexts = (past: Db, items: readonly WholeItem[]): Promise<void> =>
  insertTexts(past, items.filter(({ deleted }) => !deleted).map(textRow))

/** References to what is purged lead to its id alone. */
export async function writePurged(past: Db, purged: readonly { id: number; item_id: Ulid }[]): Promise<void> {
  await insertPurged(
    past,
    purged.map(({ id, item_id }) => [id, item_id]),
  )
}
