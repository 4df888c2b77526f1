import type { FieldType } from '#src/domain/field-schema.ts'
import type { Db } from '#src/sql/query.ts'
import { ownKey } from '#src/storage/sight/sight.ts'
import { findTagByName, tagNames } from '#src/storage/tags/tags.ts'

const TEXT_TYPES: readonly FieldType[] = ['String', 'Select', 'MultiSelect']

/** Whether searches in values look at a field of this type. */
export const isTextType = (type: FieldType): boolean => TEXT_TYPES.includes(type)

const CACHE_KEY = 'tag text fields'

/** Fields (row ids) of all present schemas whose values are texts. */
export async function textFields(db: Db): Promise<readonly number[]> {
  const key = ownKey(db, CACHE_KEY)
  const known = db.cache.get(key) as readonly number[] | undefined
  if (known) return known
  const fields: number[] = []
  for (const name of await tagNames(db))
    for (const { id, type } of (await findTagByName(db, name))?.catalog.fields.values() ?? [])
      if (isTextType(type)) fields.push(id)
  db.cache.set(key, fields)
  return fields
}
