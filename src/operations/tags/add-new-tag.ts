import { forbidden } from '#src/domain/errors.ts'
import type { FieldMap } from '#src/domain/field-schema.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { NewTag } from '#src/operations/schemas/inputs.ts'
import { nameTaken, resolveExtends } from '#src/operations/tags/check-new-tag.ts'
import { resolveOf } from '#src/operations/tags/resolve-of.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { insertTag, type ReservedTag } from '#src/storage/tags/insert-tag.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

/**
 * Creates a tag that `checkNewTag` found to be without fault, and records it. `reserved`: the ids that it gets.
 * @throws Conflict where the name is in use
 */
export async function addNewTag(
  context: SqlContext,
  tag: NewTag,
  reserved?: ReservedTag,
): Promise<StoredTag> {
  const { db, now, newId, caller, change } = context
  if (caller.limited)
    throw forbidden('A key or an app that sees a part of the base makes no tags; nothing was changed', {
      suggestion: 'Apply a tag that is there, or use a key without a limit',
    })
  const { bases } = await resolveExtends(db, tag.extends ?? [])
  const tag_id = reserved?.tag_id ?? newId()
  const self = { tag_id, name: tag.name, known: new Set<string>() }
  const { fields } = await resolveOf(db, tag.fields as FieldMap, self)
  const row = {
    tag_id,
    name: tag.name,
    description: tag.description ?? null,
    fields,
    look: tag.look ?? null,
    bases: bases.map(({ id }) => id),
    now: now.toISOString(),
  }
  const added = await insertTag(db, row, reserved)
  if (!added) throw await nameTaken(db, tag.name, change)
  change.tags.add(tag_id)
  const { name, description, schema_version } = added
  await appendEvents(db, context, [
    {
      event_type: 'tag_created',
      entity_type: 'tag',
      tag_id,
      details: {
        name,
        description,
        fields,
        schema_version,
        extends: bases.map((base) => base.tag_id),
        ...(tag.look && { look: tag.look }),
      },
    },
  ])
  return added
}
