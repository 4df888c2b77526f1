import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import { isTextType } from '#src/storage/tags/text-fields.ts'
import type { FieldRow } from '#src/storage/value-index/fields.ts'

const insert = rowInserter('word_pending', ['item'])

const insertMany = query((p: { ids: string }, db, dialect) =>
  db
    .insertInto('word_pending')
    .columns(['item'])
    .expression(
      db.selectFrom(dialect.integers(p.ids).$castTo<{ value: number }>().as('e')).select('e.value as item'),
    ),
)

/** More rows than these go in one statement. */
const SEVERAL = 64

/**
 * The words of items (row ids) are others from now on: what the word index has of them does not count any more, and
 * they are read from their texts until the index has them again.
 */
export async function markWords(db: Db, items: readonly number[]): Promise<void> {
  if (items.length > SEVERAL) await db.enqueue(insertMany, { ids: JSON.stringify(items) })
  else
    await insert(
      db,
      items.map((item) => [item]),
    )
}

const insertOfFields = query((p: { fields: string }, db, dialect) =>
  db
    .insertInto('word_pending')
    .columns(['item'])
    .expression(
      db.selectFrom('field_value').select('item').distinct().where('field', 'in', dialect.integers(p.fields)),
    ),
)

/** The same of all items that have a value in one of the fields, of those whose values are texts. */
export async function markWordsOfFields(db: Db, fields: readonly FieldRow[]): Promise<void> {
  const ids = fields.filter(({ kind }) => isTextType(kind)).map(({ id }) => id)
  if (ids.length) await db.enqueue(insertOfFields, { fields: JSON.stringify(ids) })
}
