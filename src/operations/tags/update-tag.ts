import { Type, type Static } from 'typebox'
import { checkFieldSchema } from '#src/domain/check-field-schema.ts'
import { checkTagName } from '#src/domain/check-tag-name.ts'
import { invalid, type Problem } from '#src/domain/errors.ts'
import type { FieldMap } from '#src/domain/field-schema.ts'
import { sameShape } from '#src/domain/field-shape.ts'
import { sameJson } from '#src/domain/same-json.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { Description, Extends, Tag, TagFields, TagIdInPath, TagName } from '#src/operations/schemas.ts'
import { nameTaken } from '#src/operations/tags/name-taken.ts'
import { resolveExtends } from '#src/operations/tags/resolve-extends.ts'
import { resolveOf, tagsNamedIn } from '#src/operations/tags/resolve-of.ts'
import { tagReply } from '#src/operations/tags/tag-reply.ts'
import type { Db } from '#src/sql/query.ts'
import { appendEvents } from '#src/storage/audit-log.ts'
import { updateTagRow } from '#src/storage/tags/change-tags.ts'
import { reindexField } from '#src/storage/value-index/field-values.ts'
import { circleThrough, type TagBase } from '#src/storage/tags/tag-bases.ts'
import { findTagById, findTagByName, missingTag, type StoredTag } from '#src/storage/tags/tags.ts'

const Input = Type.Object(
  {
    tag_id: TagIdInPath,
    name: Type.Optional(TagName),
    description: Type.Optional(Description),
    fields: Type.Optional(TagFields),
    extends: Type.Optional(Extends),
  },
  { additionalProperties: false },
)

export const updateTag = defineOperation({
  name: 'updateTag',
  summary: 'Change a tag: name, description, fields, what it extends. Only what is given changes.',
  description:
    '`fields` replaces all fields. When they take other values than before, `schema_version` goes up by one: not for ' +
    'a description, `of` or another order of keys. ' +
    'Items keep the values and the version that they were stored with until their values are updated, also values ' +
    'that the new schema does not fit.',
  access: 'user',
  effect: 'write',
  long: true,
  rest: 'PUT /api/tags/{tag_id}',
  tool: 'edit_tag',
  hints: { idempotent: true },
  input: Input,
  output: Tag,
  ignores: ['tag_id', 'id', 'schema_version', 'created_at', 'updated_at'],
  errors: ['NotFound', 'Conflict'],
  example: { input: { tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0TG', fields: { due: 'Date', effort: 'Number' } } },
  async run(context, input) {
    const { db, now } = context
    const tag = await findTagById(db, input.tag_id)
    if (!tag) throw await missingTag(db, input.tag_id)
    const { bases, fields } = await checkChange(db, tag, input)
    const { old_values, new_values } = differences(tag, { ...input, fields }, bases)
    const reshaped = fields !== undefined && !sameShape(JSON.parse(tag.fields), fields)
    if (!Object.keys(new_values).length) return tagReply(tag)
    const { tag: updated, retyped } = await updateTagRow(
      db,
      tag,
      {
        name: input.name ?? tag.name,
        description: input.description === undefined ? tag.description : input.description,
        fields: new_values.fields ? JSON.stringify(new_values.fields) : tag.fields,
        schema_version: tag.schema_version + (reshaped ? 1 : 0),
        updated_at: now.toISOString(),
      },
      new_values.extends ? bases.map(({ id }) => id) : null,
    )
    for (const field of retyped) await reindexField(db, tag.id, field)
    await appendEvents(db, context, [
      {
        event_type: 'tag_updated',
        entity_type: 'tag',
        tag_id: tag.tag_id,
        details: { fields_changed: Object.keys(new_values), old_values, new_values },
      },
    ])
    return tagReply(updated)
  },
})

/**
 * The tags that the input says to extend, and its fields with ids in `of`.
 * @throws BadRequest with every fault, Conflict where another tag has the name
 */
async function checkChange(
  db: Db,
  tag: StoredTag,
  input: Static<typeof Input>,
): Promise<{ bases: TagBase[]; fields: FieldMap | undefined }> {
  const { bases, problems } = await resolveExtends(db, input.extends ?? [])
  const circle = await circleThrough(db, tag, bases)
  if (circle) problems.push(circleProblem(tag, circle))
  if (input.name !== undefined) problems.push(...checkTagName(input.name))
  const given = await checkFields(db, tag, input)
  problems.push(...given.problems)
  if (problems.length) throw invalid(problems)
  const holder = input.name === undefined ? undefined : await findTagByName(db, input.name)
  if (holder && holder.id !== tag.id) throw await nameTaken(db, holder.name)
  return { bases, fields: given.fields }
}

async function checkFields(db: Db, tag: StoredTag, { name, fields }: Static<typeof Input>) {
  if (fields === undefined) return { fields: undefined, problems: [] }
  const problems = checkFieldSchema(fields)
  if (problems.length) return { fields: undefined, problems }
  const known = tagsNamedIn(JSON.parse(tag.fields) as FieldMap)
  return resolveOf(db, fields as FieldMap, { tag_id: tag.tag_id, name: name ?? tag.name, known })
}

const circleProblem = (tag: StoredTag, circle: readonly string[]): Problem => ({
  path: 'extends',
  message: `a tag cannot extend itself, directly or through others: ${[tag.name, ...circle].join(' → ')}`,
})

/** The order of keys is kept as it was given last (additions §11). */
const sameText = (before: unknown, after: unknown) => JSON.stringify(before) === JSON.stringify(after)

/** What the input changes, before and after, by property; as it is answered. */
function differences(tag: StoredTag, input: Static<typeof Input>, bases: readonly TagBase[]) {
  const old_values: Record<string, unknown> = {}
  const new_values: Record<string, unknown> = {}
  const compare = (name: string, before: unknown, after: unknown, same = sameJson) => {
    if (after === undefined || same(before, after)) return
    old_values[name] = before
    new_values[name] = after
  }
  compare('name', tag.name, input.name)
  compare('description', tag.description, input.description)
  compare('fields', JSON.parse(tag.fields), input.fields, sameText)
  const extended = (list: readonly TagBase[]) => list.map(({ tag_id }) => tag_id)
  compare('extends', extended(tag.bases), input.extends && extended(bases))
  return { old_values, new_values }
}
