import { Type, type Static } from 'typebox'
import { checkFieldSchema } from '#src/domain/check-field-schema.ts'
import { checkTagName } from '#src/domain/names.ts'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { flattenFields, type FieldMap, variantsOf } from '#src/domain/field-schema.ts'
import { sameShape } from '#src/domain/field-shape.ts'
import { sameJson } from '#src/domain/same-json.ts'
import type { TagLook } from '#src/domain/tag-look.ts'
import { hasRenames, readRenames, renameInSchema, type TagRenames } from '#src/domain/tag-renames.ts'
import {
  Description,
  Extends,
  Look,
  TagFields,
  TagIdInPath,
  TagName,
} from '#src/operations/schemas/inputs.ts'
import { nameTaken, resolveExtends } from '#src/operations/tags/check-new-tag.ts'
import { resolveOf, tagsNamedIn } from '#src/operations/tags/resolve-of.ts'
import type { Db } from '#src/sql/query.ts'
import type { OpenChange } from '#src/storage/changes/open-change.ts'
import { circleThrough, type TagBase } from '#src/storage/tags/tag-bases.ts'
import { findTagByName, type StoredTag } from '#src/storage/tags/tags.ts'

const MAX_RENAMES = 1000
const NewName = { type: 'string', minLength: 1, maxLength: 1000 } as const
const Names = { type: 'object', additionalProperties: NewName, maxProperties: MAX_RENAMES } as const

/** What a change of a tag takes. */
export const TagChangeInput = Type.Object(
  {
    tag_id: TagIdInPath,
    name: Type.Optional(TagName),
    description: Type.Optional(Description),
    fields: Type.Optional(TagFields),
    extends: Type.Optional(Extends),
    look: Type.Optional(Look),
    rename_fields: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        ...Names,
        description: 'New names of fields by old ones; values follow, and `fields` uses the new names',
        examples: [{ due: 'deadline' }],
      }),
    ),
    rename_variants: Type.Optional(
      Type.Unsafe<Record<string, Record<string, string>>>({
        type: 'object',
        additionalProperties: Names,
        maxProperties: MAX_RENAMES,
        description: 'New names of variants by old ones, by field; values follow',
        examples: [{ status: { open: 'todo' } }],
      }),
    ),
  },
  { additionalProperties: false },
)
type Input = Static<typeof TagChangeInput>

export interface TagChange {
  name: string
  description: string | null
  fields: FieldMap
  look: TagLook | null
  renames: TagRenames
  /** Null: they stay. */
  bases: TagBase[] | null
  schema_version: number
  /** What changes, before and after, by property; as it is answered. */
  old_values: Record<string, unknown>
  new_values: Record<string, unknown>
}

/**
 * What a tag will be. `during`: the change that is under way.
 * @throws BadRequest with every fault, Conflict where another tag has the name
 */
export async function planTagChange(
  db: Db,
  tag: StoredTag,
  input: Input,
  during?: OpenChange,
): Promise<TagChange> {
  const { bases, problems } = await resolveExtends(db, input.extends ?? [])
  const circle = await circleThrough(db, tag, bases)
  if (circle) problems.push(circleProblem(tag, circle))
  if (input.name !== undefined) problems.push(...checkTagName(input.name))
  const before = JSON.parse(tag.fields) as FieldMap
  const { renames, problems: faults } = readRenames(tag.schema, input)
  problems.push(...faults)
  const given = faults.length ? { fields: before, problems: [] } : await planFields(db, tag, renames, input)
  problems.push(...given.problems)
  if (problems.length) throw invalid(problems)
  const holder = input.name === undefined ? undefined : await findTagByName(db, input.name)
  if (holder && holder.id !== tag.id) throw await nameTaken(db, holder.name, during)
  const { fields } = given
  const change = {
    name: input.name ?? tag.name,
    description: input.description === undefined ? tag.description : input.description,
    fields,
    look: input.look === undefined ? lookOf(tag) : input.look,
    renames,
    // The list as it is shown lacks deleted tags: given back it must not make the tag forget them.
    bases: input.extends && !sameJson(tagIds(bases), tagIds(tag.bases)) ? bases : null,
    schema_version: tag.schema_version + (sameShape(before, fields) ? 0 : 1),
  }
  return { ...change, ...differences(tag, change) }
}

const circleProblem = (tag: StoredTag, circle: readonly string[]): Problem => ({
  path: 'extends',
  message: `a tag cannot extend itself, directly or through others: ${[tag.name, ...circle].join(' → ')}`,
})

/** The tag's fields after the change, ids in `of`. Renames come first. */
async function planFields(
  db: Db,
  tag: StoredTag,
  renames: TagRenames,
  { name, fields }: Input,
): Promise<{ fields: FieldMap; problems: Problem[] }> {
  const before = JSON.parse(tag.fields) as FieldMap
  const renamed = hasRenames(renames) ? renameInSchema(before, renames) : before
  const problems =
    fields || hasRenames(renames) ? checkFieldSchema(fields ?? renamed, 'fields', flattenFields(renamed)) : []
  if (!fields || problems.length) return { fields: renamed, problems }
  problems.push(...missingNames(fields as FieldMap, renames))
  const known = tagsNamedIn(before)
  const self = { tag_id: tag.tag_id, name: name ?? tag.name, known }
  const resolved = await resolveOf(db, fields as FieldMap, self)
  return { fields: resolved.fields, problems: [...problems, ...resolved.problems] }
}

/** What is renamed and then left out was hardly meant so: the old name is there, or it is forgotten. */
function missingNames(fields: FieldMap, renames: TagRenames): Problem[] {
  const flat = flattenFields(fields)
  const problems = [...renames.fields]
    .filter(([, name]) => !flat.has(name))
    .map(([old, name]) => ({ path: 'fields', message: `lacks '${name}', the new name of '${old}'` }))
  for (const [field, names] of renames.variants) {
    const variants = variantsOf(flat.get(field)?.schema ?? 'String')
    for (const [old, name] of variants.length ? names : [])
      if (!variants.includes(name))
        problems.push({ path: `fields.${field}`, message: `lacks '${name}', the new name of '${old}'` })
  }
  return problems
}

const tagIds = (bases: readonly TagBase[]) => bases.map(({ tag_id }) => tag_id)

/** The order of keys is kept as it was given last (additions §11). */
const sameText = (before: unknown, after: unknown) => JSON.stringify(before) === JSON.stringify(after)

const lookOf = ({ look }: StoredTag): TagLook | null => look && JSON.parse(look)

function differences(
  tag: StoredTag,
  change: Pick<TagChange, 'name' | 'description' | 'fields' | 'look' | 'bases'>,
) {
  const old_values: Record<string, unknown> = {}
  const new_values: Record<string, unknown> = {}
  const compare = (name: string, before: unknown, after: unknown, same = sameJson) => {
    if (same(before, after)) return
    old_values[name] = before
    new_values[name] = after
  }
  compare('name', tag.name, change.name)
  compare('description', tag.description, change.description)
  compare('fields', JSON.parse(tag.fields), change.fields, sameText)
  compare('look', lookOf(tag), change.look, sameText)
  compare('extends', tagIds(tag.bases), tagIds(change.bases ?? tag.bases))
  return { old_values, new_values }
}
