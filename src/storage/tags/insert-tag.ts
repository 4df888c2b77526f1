import { flattenFields, type FieldMap, type FlatFields } from '#src/domain/field-schema.ts'
import type { TagLook } from '#src/domain/tag-look.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { type Db, query } from '#src/sql/query.ts'
import { isWrittenAhead } from '#src/storage/large/write-ahead.ts'
import { fieldRowsWith, insertFieldRows, numberFields } from '#src/storage/value-index/fields.ts'
import { folded, lookText } from '#src/storage/tags/change-tags.ts'
import { setBases } from '#src/storage/tags/tag-bases.ts'
import { findTagByRow, forgetTags, type StoredTag } from '#src/storage/tags/tags.ts'

export interface NewTagRow {
  tag_id: Ulid
  name: string
  description: string | null
  fields: FieldMap
  look: TagLook | null
  /** Row ids. */
  bases: readonly number[]
  now: string
}

/** Ids of a tag that is still to be made, which no other gets: rows that name it can be worked out beforehand. */
export interface ReservedTag {
  /** Row id. */
  id: number
  tag_id: Ulid
  /** Row ids of its fields, in their order. */
  fields: readonly number[]
}

/** Undefined where nothing is written before the turn of its change, so that nobody needs them. */
export async function reserveTag(db: Db, fields: FlatFields, now: Date): Promise<ReservedTag | undefined> {
  const [id] = (await db.reserveRowIds?.('tag', 1)) ?? []
  const fieldIds = await db.reserveRowIds?.('field', fields.size)
  return id === undefined || !fieldIds
    ? undefined
    : { id, tag_id: ulidSource()(now.getTime()), fields: fieldIds }
}

interface TagColumns {
  tag_id: Ulid
  name: string
  description: string | null
  fields: string
  look: string | null
  folded_name: string
  folded_description: string | null
  now: string
}

const columnsOf = (p: TagColumns) => ({
  tag_id: p.tag_id,
  name: p.name,
  description: p.description,
  fields: p.fields,
  look: p.look,
  schema_version: 1,
  folded_name: p.folded_name,
  folded_description: p.folded_description,
  created_at: p.now,
  updated_at: p.now,
})

const insert = query((p: TagColumns, sql) =>
  sql
    .insertInto('tag')
    .values(columnsOf(p))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)
const insertAt = query((p: TagColumns & { id: number }, sql) =>
  sql
    .insertInto('tag')
    .values({ id: p.id, ...columnsOf(p) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)
const hold = query((p: { id: number; tag_id: Ulid; now: string }, sql) =>
  sql.insertInto('tag').values({
    id: p.id,
    ...columnsOf({ ...UNNAMED, tag_id: p.tag_id, now: p.now }),
    deleted_at: p.now,
  }),
)
const UNNAMED = {
  name: '',
  description: null,
  fields: '{}',
  look: null,
  folded_name: '',
  folded_description: null,
}
const takePlace = query((p: TagColumns & { id: number }, sql) =>
  sql
    .updateTable('tag')
    .set({ ...columnsOf(p), deleted_at: null })
    .where('id', '=', p.id)
    .returning('id'),
)

/** The new tag; undefined where another has the name. `reserved`: the ids that it gets, with that `tag_id`. */
export async function insertTag(
  db: Db,
  tag: NewTagRow,
  reserved?: ReservedTag,
): Promise<StoredTag | undefined> {
  const { tag_id, name, description, fields, bases, now } = tag
  const text = JSON.stringify(fields)
  const columns = { tag_id, name, description, fields: text, look: lookText(tag.look), ...folded(tag), now }
  const row = reserved
    ? await db.get(isWrittenAhead(db) ? takePlace : insertAt, { ...columns, id: reserved.id })
    : await db.get(insert, columns)
  if (!row) return undefined
  const schema = flattenFields(fields)
  if (reserved) await insertFieldRows(db, row.id, fieldRowsWith(schema, reserved.fields))
  else await numberFields(db, row.id, new Map(), schema)
  await setBases(db, row.id, bases)
  forgetTags(db)
  return findTagByRow(db, row.id)
}

/**
 * Until the tag is made, so that rows which are written ahead can name it (decision 110): deleted and without a name,
 * it is found by nobody.
 */
export async function holdPlace(db: Db, { id, tag_id }: ReservedTag, now: Date): Promise<void> {
  await db.enqueue(hold, { id, tag_id, now: now.toISOString() })
}
