import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/**
 * The object of an item (decisions §2) as an expression over `item`; what is stored as JSON is pasted by the database
 * itself. The tags are read by the key of `item_tag`, in its order.
 */
export function itemObject(
  db: Kysely<Tables>,
  dialect: Dialect,
  form: 'data' | 'tags' | 'deleted',
): RawBuilder<string> {
  const { pasted } = dialect
  const quoted = (column: string) => dialect.jsonQuote(sql.ref(column))
  const entries = db
    .selectFrom('item_tag')
    .crossJoin('tag')
    .whereRef('tag.id', '=', 'item_tag.tag')
    .where('item_tag.item', '=', sql.ref<number>('item.id'))
    .select(
      dialect
        .joinedInOrder(
          pasted`"${sql.ref('tag.tag_id')}":{"tag_name":${quoted('tag.name')},"schema_version":${sql.ref('item_tag.schema_version')},"field_values":${sql.ref('item_tag.field_values')}}`,
          sql.ref('item_tag.tag'),
        )
        .as('entries'),
    )
  const id = sql.ref('item.item_id')
  const tags = sql`coalesce((${entries}), '')`
  const head = pasted`{"item_id":"${id}","id":"${id}","name":${quoted('item.name')},"description":${quoted('item.description')}`
  const times = pasted`"created_at":"${sql.ref('item.created_at')}","updated_at":"${sql.ref('item.updated_at')}"`
  if (form === 'data') return pasted`${head},"data":{${tags}},${times}}`
  if (form === 'tags') return pasted`${head},"tags":{${tags}},${times}}`
  return pasted`${head},"tags":{${tags}},${times},"deleted_at":"${sql.ref('item.deleted_at')}"}`
}
