import { type Db, query } from '#src/sql/query.ts'
import { ownKey } from '#src/storage/sight/sight.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'

/** A field of a live tag whose values refer to items. */
export interface ReferenceField {
  /** Row id in `field`. */
  readonly id: number
  readonly name: string
  readonly tag_id: string
  readonly tag_name: string
}

/** Named so that a change of a tag drops it (storage/tags, forgetTags). */
const CACHE = 'tag reference fields'
const KINDS = ['Reference', 'MultiReference']

const rows = query((_: object, sql) =>
  sql.selectFrom('field').select(['id', 'tag', 'name']).where('kind', 'in', KINDS).orderBy('id'),
)

/** By row id; fields that have left their schema, or whose tag is deleted, are not among them. */
export async function referenceFields(db: Db): Promise<ReadonlyMap<number, ReferenceField>> {
  const key = ownKey(db, CACHE)
  const kept = db.cache.get(key) as ReadonlyMap<number, ReferenceField> | undefined
  if (kept) return kept
  const fields = new Map<number, ReferenceField>()
  for (const { id, tag, name } of await db.all(rows, {})) {
    const found = await findTagByRow(db, tag)
    if (found && KINDS.includes(found.schema.get(name)?.type ?? ''))
      fields.set(id, { id, name, tag_id: found.tag_id, tag_name: found.name })
  }
  db.cache.set(key, fields)
  return fields
}
