import { checkFieldSchema } from '#src/domain/check-field-schema.ts'
import { checkTagName } from '#src/domain/check-tag-name.ts'
import type { Problem } from '#src/domain/errors.ts'
import type { FieldMap } from '#src/domain/field-schema.ts'
import type { NewTag } from '#src/operations/schemas/inputs.ts'
import { resolveExtends } from '#src/operations/tags/resolve-extends.ts'
import { resolveOf } from '#src/operations/tags/resolve-of.ts'
import type { Db } from '#src/sql/query.ts'

/** Every fault of a tag to be created; `path` is where it is in the input, e.g. `tags[0].tag_ref.New`. */
export async function checkNewTag(db: Db, tag: NewTag, path = ''): Promise<Problem[]> {
  const at = (name: string) => (path ? `${path}.${name}` : name)
  const { problems } = await resolveExtends(db, tag.extends ?? [], at('extends'))
  const faults = checkFieldSchema(tag.fields, at('fields'))
  const self = { tag_id: '', name: tag.name, known: new Set<string>() }
  if (!faults.length)
    faults.push(...(await resolveOf(db, tag.fields as FieldMap, self, at('fields'))).problems)
  return [...checkTagName(tag.name, at('name')), ...faults, ...problems]
}
