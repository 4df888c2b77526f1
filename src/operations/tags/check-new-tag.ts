import { checkFieldSchema } from '#src/domain/check-field-schema.ts'
import { checkTagName } from '#src/domain/check-tag-name.ts'
import type { Problem } from '#src/domain/errors.ts'
import type { NewTag } from '#src/operations/schemas.ts'
import { resolveExtends } from '#src/operations/tags/resolve-extends.ts'
import type { Db } from '#src/sql/query.ts'

/** Every fault of a tag to be created; `path` is where it stands in the input, e.g. `tags[0].tag_ref.New`. */
export async function checkNewTag(db: Db, tag: NewTag, path = ''): Promise<Problem[]> {
  const at = (name: string) => (path ? `${path}.${name}` : name)
  const { problems } = await resolveExtends(db, tag.extends ?? [], at('extends'))
  return [...checkTagName(tag.name, at('name')), ...checkFieldSchema(tag.fields, at('fields')), ...problems]
}
