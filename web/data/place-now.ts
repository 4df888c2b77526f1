import { flattenFields, type FieldMap } from '#src/domain/field-schema.ts'
import { sameJson } from '#src/domain/same-json.ts'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { getTag } from '#web/api/operations.ts'
import type { TagEdit } from '#web/data/send-edit.ts'
import { tagRenames } from '#web/data/tag-renames.ts'
import { underNamesNow } from '#web/rules/renamed.ts'

/** What an edit writes by now, or why there is no place for it any more. */
type PlaceNow = Pick<TagEdit, 'values' | 'opened' | 'stored' | 'tag_updated_at'> | { why: string }

/**
 * What a refused edit was written to, as its tag is now: fields and variants that were renamed while it was typed have
 * other names. Undefined where all of it is there as it was: the values themselves are at fault.
 */
export async function placeNow(
  { tag_id, values, opened, stored }: TagEdit,
  fault: Fault,
): Promise<PlaceNow | undefined> {
  if (tag_id === null || (fault.status !== 404 && fault.status !== 400)) return undefined
  const tag = await call(getTag, { tag_id }).catch(toFault)
  if (tag instanceof Fault) return tag.status === 404 ? { why: 'its tag has been deleted' } : undefined
  const { name, fields } = tag.data
  if (fault.status === 404) return { why: `it does not have the tag ${name} any more` }
  const present = flattenFields(fields as FieldMap)
  // Where the log cannot be read nothing was renamed.
  const renames = await tagRenames(tag_id).catch(() => [])
  const now = (given: TagEdit['values']) => underNamesNow(given, present, renames)
  const valuesNow = now(values)
  const lost = Object.keys(valuesNow).find((field) => !present.has(field))
  if (lost !== undefined) return { why: `${name} does not have the field ${lost} any more` }
  if (sameJson(valuesNow, values)) return undefined
  return {
    values: valuesNow,
    opened: opened && now(opened),
    stored: stored && now(stored),
    tag_updated_at: undefined,
  }
}
