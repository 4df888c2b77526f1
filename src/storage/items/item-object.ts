import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Bytes of a description, or of the values of a tag, that are long. */
const LONG = 16_384
/** No JSON text has it as it is. */
const LEFT_OUT = 1

/** Whether something long was left out of the objects of items. */
export const isIncomplete = (json: Buffer): boolean => json.includes(LEFT_OUT)

/**
 * The object of an item (decisions §2) as an expression over `item`; what is stored as JSON is pasted by the database
 * itself. The tags are read by the key of `item_tag`, in its order. `brief`: what is long is left out; `known`: only these
 * tags are shown (a JSON array of row ids).
 */
export function itemObject(
  db: Kysely<Tables>,
  dialect: Dialect,
  form: 'data' | 'tags' | 'deleted' | 'brief',
  known?: string,
): RawBuilder<string> {
  const { pasted } = dialect
  const quoted = (column: string) => dialect.jsonQuote(sql.ref(column))
  const ifShort = (column: string, text: RawBuilder<unknown>) =>
    form === 'brief'
      ? sql`case when octet_length(${sql.ref(column)}) > ${sql.lit(LONG)} then char(${sql.lit(LEFT_OUT)}) else ${text} end`
      : text
  const values = ifShort('item_tag.field_values', sql.ref('item_tag.field_values'))
  const rows = db
    .selectFrom('item_tag')
    .crossJoin('tag')
    .whereRef('tag.id', '=', 'item_tag.tag')
    .where('item_tag.item', '=', sql.ref<number>('item.id'))
  const shown = known === undefined ? rows : rows.where('item_tag.tag', 'in', dialect.integers(known))
  const entries = shown.select(
    dialect
      .joinedInOrder(
        pasted`"${sql.ref('tag.tag_id')}":{"tag_name":${quoted('tag.name')},"schema_version":${sql.ref('item_tag.schema_version')},"field_values":${values}}`,
        sql.ref('item_tag.tag'),
      )
      .as('entries'),
  )
  const id = sql.ref('item.item_id')
  const tags = sql`coalesce((${entries}), '')`
  const description = ifShort('item.description', quoted('item.description'))
  const [created_at, updated_at] = [sql.ref('item.created_at'), sql.ref('item.updated_at')]
  const member = sql.lit(form === 'data' ? 'data' : 'tags')
  const deleted = form === 'deleted' ? pasted`,"deleted_at":"${sql.ref('item.deleted_at')}"` : sql`''`
  return pasted`{"item_id":"${id}","id":"${id}","name":${quoted('item.name')},"description":${description},"${member}":{${tags}},"created_at":"${created_at}","updated_at":"${updated_at}"${deleted}}`
}
