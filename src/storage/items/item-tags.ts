import { sql } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import { isKnownTag } from '#src/storage/sight/sight.ts'

/** A tag on an item as it is stored. */
export interface AppliedTag {
  schema_version: number
  /** JSON text. */
  field_values: string
}

/** Rows of (item, tag, schema_version, field_values); items and tags by row id. */
export const insertItemTags = rowInserter('item_tag', ['item', 'tag', 'schema_version', 'field_values'])

const one = query((p: { item: number; tag: number }, sql) =>
  sql
    .selectFrom('item_tag')
    .select(['schema_version', 'field_values'])
    .where('item', '=', p.item)
    .where('tag', '=', p.tag),
)

export const findItemTag = (db: Db, item: number, tag: number): Promise<AppliedTag | undefined> =>
  db.get(one, { item, tag })

const ofItems = query((p: { items: string }, sql, dialect) =>
  sql
    .selectFrom('item_tag')
    .select(['item', 'tag', 'field_values'])
    .where('item', 'in', dialect.integers(p.items))
    .orderBy('item')
    .orderBy('tag'),
)

/** The tags on items, live or deleted, that are known: row ids and values as JSON text. */
export const tagsOfItems = async (
  db: Db,
  items: readonly number[],
): Promise<{ item: number; tag: number; field_values: string }[]> =>
  (await db.all(ofItems, { items: JSON.stringify(items) })).filter(({ tag }) => isKnownTag(db, tag))

const update = query((p: AppliedTag & { item: number; tag: number }, sql) =>
  sql
    .updateTable('item_tag')
    .set({ schema_version: p.schema_version, field_values: p.field_values })
    .where('item', '=', p.item)
    .where('tag', '=', p.tag),
)

export async function updateItemTag(db: Db, row: AppliedTag & { item: number; tag: number }): Promise<void> {
  await db.enqueue(update, row)
}

const remove = query((p: { tag: number; items: string }, sql, dialect) =>
  sql
    .deleteFrom('item_tag')
    .where(dialect.ofItems('tag'), '=', p.tag)
    .where('item', 'in', dialect.integers(p.items)),
)

export async function removeItemTags(db: Db, tag: number, items: readonly number[]): Promise<void> {
  await db.enqueue(remove, { tag, items: JSON.stringify(items) })
}

const having = query((p: { tag: number; items: string }, sql, dialect) =>
  sql
    .selectFrom('item_tag')
    .innerJoin('item', 'item.id', 'item_tag.item')
    .select([
      'item_tag.item',
      'item.item_id',
      'item.name',
      'item_tag.schema_version',
      'item_tag.field_values',
    ])
    .where(dialect.ofItems('item_tag.tag'), '=', p.tag)
    .where('item_tag.item', 'in', dialect.integers(p.items))
    .orderBy('item_tag.item'),
)

/** A tag's entry on one of many items. */
export interface ItemWithTag extends AppliedTag {
  /** Row id. */
  item: number
  item_id: Ulid
  name: string
}

/** Those of the items that have the tag, oldest first. */
export const itemsWithTag = (db: Db, tag: number, items: readonly number[]): Promise<ItemWithTag[]> =>
  db.all(having, { tag, items: JSON.stringify(items) })

const lacking = query((p: { tag: number; items: string }, sql, dialect) =>
  sql
    .selectFrom('item')
    .select(['item.id', 'item.item_id'])
    .where('item.id', 'in', dialect.integers(p.items))
    .where((e) =>
      e.not(
        e.exists(
          sql
            .selectFrom('item_tag')
            .select('item_tag.tag')
            .where('item_tag.item', '=', e.ref('item.id'))
            .where(dialect.ofItems('item_tag.tag'), '=', p.tag),
        ),
      ),
    )
    .orderBy('item.id'),
)

/** Those of the items that do not have the tag (row id), oldest first. */
export const itemsWithoutTag = (
  db: Db,
  tag: number,
  items: readonly number[],
): Promise<{ id: number; item_id: Ulid }[]> => db.all(lacking, { tag, items: JSON.stringify(items) })

const applyToMany = query((p: AppliedTag & { tag: number; items: string }, db, dialect) =>
  db
    .insertInto('item_tag')
    .columns(['item', 'tag', 'schema_version', 'field_values'])
    .expression(
      db
        .selectFrom(dialect.integers(p.items).$castTo<{ value: number }>().as('e'))
        .select([
          'e.value as item',
          sql<number>`${p.tag}`.as('tag'),
          sql<number>`${p.schema_version}`.as('schema_version'),
          sql<string>`${p.field_values}`.as('field_values'),
        ]),
    ),
)

/** Gives many items (row ids) a tag with the same values. */
export async function applyTagToMany(
  db: Db,
  row: AppliedTag & { tag: number },
  items: readonly number[],
): Promise<void> {
  await db.enqueue(applyToMany, { ...row, items: JSON.stringify(items) })
}

/** From this many items with the same values on, their ids are all that is sent. */
const ALIKE = 64

/** Gives items that do not have a tag (row id) the tag, each with values of its own. */
export async function applyTagEach(
  db: Db,
  tag: number,
  entries: readonly (AppliedTag & { item: number })[],
): Promise<void> {
  const others: (AppliedTag & { item: number })[] = []
  for (const alike of Map.groupBy(
    entries,
    ({ schema_version, field_values }) => `${schema_version} ${field_values}`,
  ).values())
    if (alike.length < ALIKE) others.push(...alike)
    else {
      const { schema_version, field_values } = alike[0]!
      await applyTagToMany(
        db,
        { tag, schema_version, field_values },
        alike.map(({ item }) => item),
      )
    }
  await insertItemTags(
    db,
    others.map(({ item, schema_version, field_values }) => [item, tag, schema_version, field_values]),
  )
}

/** Where the version stays, its index is not touched. */
const changesOf = (p: AppliedTag & { stays: boolean }) =>
  p.stays
    ? { field_values: p.field_values }
    : { schema_version: p.schema_version, field_values: p.field_values }

type ManyAlike = AppliedTag & { tag: number; items: string }
const updateMany = (stays: boolean) =>
  query((p: ManyAlike, sql, dialect) =>
    sql
      .updateTable('item_tag')
      .set(changesOf({ schema_version: p.schema_version, field_values: p.field_values, stays }))
      .where(dialect.ofItems('tag'), '=', p.tag)
      .where('item', 'in', dialect.integers(p.items)),
  )
const updateValues = updateMany(true)
const updateEntries = updateMany(false)

/** Gives many items (row ids) that have a tag the same values for it; `stays`: all have them under that version already. */
export async function updateTagOfMany(
  db: Db,
  { stays, ...row }: AppliedTag & { tag: number; stays: boolean },
  items: readonly number[],
): Promise<void> {
  await db.enqueue(stays ? updateValues : updateEntries, { ...row, items: JSON.stringify(items) })
}

const replaceMany = (stays: boolean) =>
  query((p: { tag: number; schema_version: number; entries: string }, db, dialect) =>
    // Not UPDATE: SQLite would walk all items of the tag for each.
    db
      .insertInto('item_tag')
      .columns(['item', 'tag', 'schema_version', 'field_values'])
      .expression(
        db
          .selectFrom(sql<{ item: number; field_values: string }>`(${dialect.entries(p.entries)})`.as('e'))
          .select([
            'e.item',
            sql<number>`${p.tag}`.as('tag'),
            sql<number>`${p.schema_version}`.as('schema_version'),
            'e.field_values',
          ])
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) =>
        conflict.columns(['item', 'tag']).doUpdateSet((e) => ({
          ...(!stays && { schema_version: e.ref('excluded.schema_version') }),
          field_values: e.ref('excluded.field_values'),
        })),
      ),
  )
const replaceValues = replaceMany(true)
const replaceEntries = replaceMany(false)

/** An entry that takes the place of one of that version; undefined where nobody has looked. */
interface ReplacedEntry extends AppliedTag {
  item: number
  old_schema_version?: number
}

/** Gives many items that have a tag (row id) other values for it, each its own: one statement for those of a version. */
export async function replaceItemTags(db: Db, tag: number, rows: readonly ReplacedEntry[]): Promise<void> {
  const stays = ({ schema_version, old_schema_version }: ReplacedEntry) =>
    schema_version === old_schema_version
  for (const [all, replace] of [
    [rows.filter(stays), replaceValues],
    [rows.filter((row) => !stays(row)), replaceEntries],
  ] as const)
    for (const [schema_version, same] of Map.groupBy(all, (row) => row.schema_version)) {
      // Keys that are whole numbers are in their order, which is that of the table.
      const entries = Object.fromEntries(same.map(({ item, field_values }) => [item, field_values]))
      await db.enqueue(replace, { tag, schema_version, entries: JSON.stringify(entries) })
    }
}
