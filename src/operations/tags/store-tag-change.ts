import { laterThan } from '#src/domain/precondition.ts'
import { hasRenames, type TagRenames } from '#src/domain/tag-renames.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { TagChange } from '#src/operations/tags/plan-tag-change.ts'
import { writeTagChange } from '#src/operations/tags/write-tag-change.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { lookText } from '#src/storage/tags/change-tags.ts'
import { allBasesOf } from '#src/storage/tags/tag-bases.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

/**
 * Brings a tag to what `planTagChange` found, and records it.
 * @throws BadRequest where a renamed value would take the place of another
 */
export async function storeTagChange(
  context: SqlContext,
  tag: StoredTag,
  change: TagChange,
): Promise<StoredTag> {
  const { db, now } = context
  const { name, description, fields, look, renames, bases, schema_version, old_values, new_values } = change
  const old_extends = bases && { old_extends: await allBasesOf(db, tag.id) }
  const updated = await writeTagChange(
    context,
    tag,
    {
      name,
      description,
      fields: new_values.fields ? JSON.stringify(fields) : tag.fields,
      look: lookText(look),
      schema_version,
      updated_at: laterThan(tag.updated_at, now),
    },
    bases && bases.map(({ id }) => id),
    renames,
  )
  const versions = { old_schema_version: tag.schema_version, schema_version, updated_at: now.toISOString() }
  await appendEvents(db, context, [
    {
      event_type: 'tag_updated',
      entity_type: 'tag',
      tag_id: tag.tag_id,
      name: tag.name,
      state: { ...old_extends, ...(hasRenames(renames) && versions) },
      details: {
        fields_changed: Object.keys(new_values),
        old_values,
        new_values,
        ...renamesInEvent(renames),
      },
    },
  ])
  return updated
}

/** All that an inverse needs, and the history, whose paths follow. */
export function renamesInEvent({ fields, variants }: TagRenames) {
  const byField = [...variants].map(([field, names]) => [field, Object.fromEntries(names)])
  return {
    ...(fields.size && { renamed_fields: Object.fromEntries(fields) as Record<string, string> }),
    ...(variants.size && { renamed_variants: Object.fromEntries(byField) as Record<string, object> }),
  }
}
