import { flattenFields, type FieldMap } from '#src/domain/field-schema.ts'
import { sameJson } from '#src/domain/same-json.ts'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { getTag, searchAuditLog } from '#web/api/operations.ts'
import type { TagEdit } from '#web/data/send-edit.ts'
import { type Renamed, underNamesNow } from '#web/rules/renamed.ts'

/** What an edit writes by now, or why there is no place for it any more. */
type PlaceNow = Pick<TagEdit, 'values' | 'opened' | 'stored'> | { why: string }

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
  const renames = await renamesOf(tag_id)
  const now = (given: TagEdit['values']) => underNamesNow(given, present, renames)
  const valuesNow = now(values)
  const lost = Object.keys(valuesNow).find((field) => !present.has(field))
  if (lost !== undefined) return { why: `${name} does not have the field ${lost} any more` }
  if (sameJson(valuesNow, values)) return undefined
  return { values: valuesNow, opened: opened && now(opened), stored: stored && now(stored) }
}

/** Of the tag's last changes, oldest first. */
async function renamesOf(tag_id: string): Promise<Renamed[]> {
  const log = await call(searchAuditLog, { tag_ids: [tag_id], event_types: ['tag_updated'] }).catch(toFault)
  if (log instanceof Fault) return []
  return log.data
    .map(({ details }) => details as Details)
    .map(({ renamed_fields: fields = {}, renamed_variants: variants = {} }) => ({ fields, variants }))
    .toReversed()
}

interface Details {
  renamed_fields?: Renamed['fields']
  renamed_variants?: Renamed['variants']
}
