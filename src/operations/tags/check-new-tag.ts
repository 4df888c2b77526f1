import { checkFieldSchema } from '#src/domain/check-field-schema.ts'
import { conflict, type Problem, type ServiceError } from '#src/domain/errors.ts'
import type { FieldMap } from '#src/domain/field-schema.ts'
import { checkTagName } from '#src/domain/names.ts'
import type { NewTag } from '#src/operations/schemas/inputs.ts'
import { resolveOf } from '#src/operations/tags/resolve-of.ts'
import type { Db } from '#src/sql/query.ts'
import type { OpenChange } from '#src/storage/changes/open-change.ts'
import type { TagBase } from '#src/storage/tags/tag-bases.ts'
import { findTag, findTagByName, missingTag } from '#src/storage/tags/tags.ts'

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

/**
 * The 409 for a tag name that is in use. `change`: what is under way; of a tag that it makes itself no id remains.
 * `advice`: what to do about the tag that has the name.
 */
export async function nameTaken(
  db: Db,
  name: string,
  change?: OpenChange,
  advice = (that: string) => `Use ${that}, or choose another name`,
): Promise<ServiceError> {
  const holder = await findTagByName(db, name)
  if (holder && change?.tags.has(holder.tag_id))
    return conflict(`This request makes the tag '${name}' already`, {
      suggestion: `Make it once and refer to it by its name after that ({"Existing": ${JSON.stringify(name)}}), or choose another name`,
    })
  return conflict(`A tag named '${name}' exists already`, {
    suggestion: advice(`that tag${holder ? ` (${holder.tag_id})` : ''}`),
    ...(holder && { details: { tag_id: holder.tag_id } }),
  })
}

/** The tags that `extends` names by id or name, and what is wrong with it. */
export async function resolveExtends(
  db: Db,
  names: readonly string[],
  path = 'extends',
): Promise<{ bases: TagBase[]; problems: Problem[] }> {
  const bases = new Map<number, TagBase>()
  const problems: Problem[] = []
  for (const [i, name] of names.entries()) {
    const tag = await findTag(db, name)
    if (!tag) {
      const { message, suggestion } = await missingTag(db, name)
      problems.push({ path: `${path}[${i}]`, message: suggestion ? `${message}. ${suggestion}` : message })
    } else if (bases.has(tag.id))
      problems.push({ path: `${path}[${i}]`, message: `the tag '${tag.name}' appears here twice` })
    else bases.set(tag.id, { id: tag.id, tag_id: tag.tag_id, name: tag.name })
  }
  return { bases: [...bases.values()], problems }
}
