import { type Db, query } from '#src/sql/query.ts'
import { HAS_TAG } from '#src/sql/tables.ts'
import type { FieldRow, IndexedTag } from '#src/storage/value-index/fields.ts'
import { markWords, markWordsOfFields } from '#src/storage/words/mark-words.ts'
import { isTextType } from '#src/storage/tags/text-fields.ts'

const deleteItems = query((p: { items: string }, sql, dialect) =>
  sql.deleteFrom('field_value').where('item', 'in', dialect.integers(p.items)),
)

/** Takes items (row ids) out of the value index, e.g. when they are deleted. */
export async function unindexItems(db: Db, items: readonly number[]): Promise<void> {
  await db.enqueue(deleteItems, { items: JSON.stringify(items) })
}

const deleteField = query((p: { item: number; field: number }, sql) =>
  sql.deleteFrom('field_value').where('item', '=', p.item).where('field', '=', p.field),
)
const deleteFields = query((p: { item: number; fields: string }, sql, dialect) =>
  sql.deleteFrom('field_value').where('item', '=', p.item).where('field', 'in', dialect.integers(p.fields)),
)

/** Takes the values of fields (row ids) off one item in the value index. */
export async function unindexFieldsOfItem(db: Db, item: number, fields: readonly number[]): Promise<void> {
  if (fields.length === 1) await db.enqueue(deleteField, { item, field: fields[0]! })
  else if (fields.length) await db.enqueue(deleteFields, { item, fields: JSON.stringify(fields) })
}

const deleteFieldsOfItems = query((p: { items: string; fields: string }, sql, dialect) =>
  sql
    .deleteFrom('field_value')
    .where('item', 'in', dialect.integers(p.items))
    .where('field', 'in', dialect.integers(p.fields)),
)
const deleteHasTagOfItems = query((p: { items: string; tag: number }, sql, dialect) =>
  sql
    .deleteFrom('field_value')
    .where('field', '=', HAS_TAG)
    .where(dialect.fieldValue.rowIdOfItem, '=', p.tag)
    .where('item', 'in', dialect.integers(p.items)),
)

/** Takes a tag off items (row ids) in the value index. */
export async function unindexTag(db: Db, tag: IndexedTag, items: readonly number[]): Promise<void> {
  const list = JSON.stringify(items)
  const fields = [...tag.rows.values()].map(({ id }) => id)
  if ([...tag.rows.values()].some(({ kind }) => isTextType(kind))) await markWords(db, items)
  await db.enqueue(deleteHasTagOfItems, { items: list, tag: tag.id })
  if (fields.length) await db.enqueue(deleteFieldsOfItems, { items: list, fields: JSON.stringify(fields) })
}

/** Takes the values of a field (row id) off items in the value index. */
export async function unindexFieldOfItems(db: Db, field: number, items: readonly number[]): Promise<void> {
  await db.enqueue(deleteFieldsOfItems, { items: JSON.stringify(items), fields: JSON.stringify([field]) })
}

const deleteFieldsEverywhere = query((p: { fields: string }, sql, dialect) =>
  sql.deleteFrom('field_value').where('field', 'in', dialect.integers(p.fields)),
)

/** Takes the values of a field off all items in the value index. */
export async function unindexFieldEverywhere(db: Db, field: FieldRow): Promise<void> {
  await markWordsOfFields(db, [field])
  await db.enqueue(deleteFieldsEverywhere, { fields: JSON.stringify([field.id]) })
}

const deleteHasTag = query((p: { tag: number }, sql, dialect) =>
  sql
    .deleteFrom('field_value')
    .where('field', '=', HAS_TAG)
    .where((e) => e(e.ref(dialect.fieldValue.rowId as 'val'), '=', p.tag)),
)

/** Takes a tag off all items in the value index. */
export async function unindexTagEverywhere(db: Db, tag: IndexedTag): Promise<void> {
  const fields = [...tag.rows.values()].map(({ id }) => id)
  await markWordsOfFields(db, [...tag.rows.values()])
  await db.enqueue(deleteHasTag, { tag: tag.id })
  if (fields.length) await db.enqueue(deleteFieldsEverywhere, { fields: JSON.stringify(fields) })
}
