import { flattenFields, type FieldMap } from '#src/domain/field-schema.ts'
import { fold } from '#src/domain/fold.ts'
import type { TagLook } from '#src/domain/tag-look.ts'
import { type Db, query } from '#src/sql/query.ts'
import { fieldRows, numberFields, renameFieldRows, type FieldRow } from '#src/storage/value-index/fields.ts'
import { setBases } from '#src/storage/tags/tag-bases.ts'
import { findDeletedTag, findTagByRow, forgetTags, type StoredTag } from '#src/storage/tags/tags.ts'

/** As searches look at them. */
export const folded = ({ name, description }: { name: string; description: string | null }) => ({
  folded_name: fold(name),
  folded_description: description === null ? null : fold(description),
})

/** As it is kept. */
export const lookText = (look: TagLook | null): string | null => look && JSON.stringify(look)

export interface TagState {
  name: string
  description: string | null
  fields: string
  look: string | null
  schema_version: number
  updated_at: string
}

const update = query(
  (p: TagState & { id: number; folded_name: string; folded_description: string | null }, sql) =>
    sql
      .updateTable('tag')
      .set({
        name: p.name,
        description: p.description,
        fields: p.fields,
        look: p.look,
        schema_version: p.schema_version,
        folded_name: p.folded_name,
        folded_description: p.folded_description,
        updated_at: p.updated_at,
      })
      .where('id', '=', p.id),
)

/**
 * The tag after the change, and the fields that have another type now: to be indexed again. `names`: new names of
 * fields by old ones.
 */
export async function updateTagRow(
  db: Db,
  tag: StoredTag,
  state: TagState,
  bases: readonly number[] | null,
  names: ReadonlyMap<string, string> = new Map(),
): Promise<{ tag: StoredTag; retyped: FieldRow[] }> {
  const { name, description, fields, look, schema_version, updated_at } = state
  await db.enqueue(update, {
    id: tag.id,
    name,
    description,
    fields,
    look,
    schema_version,
    updated_at,
    ...folded(state),
  })
  if (names.size) await renameFieldRows(db, tag.id, tag.rows, names)
  const rows = names.size ? await fieldRows(db, tag.id) : tag.rows
  const retyped =
    fields === tag.fields
      ? []
      : await numberFields(db, tag.id, rows, flattenFields(JSON.parse(fields) as FieldMap))
  if (bases) await setBases(db, tag.id, bases)
  forgetTags(db)
  // Undo changes deleted tags too.
  const updated = (await findTagByRow(db, tag.id)) ?? (await findDeletedTag(db, tag.tag_id))!
  return { tag: updated, retyped }
}

const rename = query((p: { id: number; name: string; folded_name: string }, sql) =>
  sql.updateTable('tag').set({ name: p.name, folded_name: p.folded_name }).where('id', '=', p.id),
)

/** Gives a tag, live or deleted, a name and changes nothing else. */
export async function nameTag(db: Db, { id }: StoredTag, name: string): Promise<void> {
  await db.enqueue(rename, { id, name, folded_name: fold(name) })
  forgetTags(db)
}

const setDeleted = query((p: { id: number; deleted_at: string | null }, sql) =>
  sql.updateTable('tag').set({ deleted_at: p.deleted_at }).where('id', '=', p.id),
)

/** Hides a tag (a time) or brings it back (null). */
export async function setTagDeleted(db: Db, tag: StoredTag, deleted_at: string | null): Promise<void> {
  await db.enqueue(setDeleted, { id: tag.id, deleted_at })
  forgetTags(db)
}

const purge = query((p: { ids: string }, sql, dialect) =>
  sql.deleteFrom('tag').where('id', 'in', dialect.integers(p.ids)).where('deleted_at', 'is not', null),
)

/** Removes deleted tags (row ids) for good, with their fields and their places in the extension relation. */
export async function purgeTags(db: Db, ids: readonly number[]): Promise<void> {
  await db.enqueue(purge, { ids: JSON.stringify(ids) })
  forgetTags(db)
}
