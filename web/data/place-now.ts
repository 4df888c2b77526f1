import { flattenFields, type FieldMap } from '#src/domain/field-schema.ts'
import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { getTag, searchAuditLog } from '#web/api/operations.ts'
import type { TagEdit } from '#web/data/send-edit.ts'

/** Where the values of an edit go by now, or why there is no place for them any more. */
type PlaceNow = { values: TagEdit['values'] } | { why: string }

/**
 * What a refused edit was written to, as its tag is now: fields that were renamed while it was typed have other names.
 * Undefined where all of it is there as it was: the values themselves are at fault.
 */
export async function placeNow({ tag_id, values }: TagEdit, fault: Fault): Promise<PlaceNow | undefined> {
  if (tag_id === null || (fault.status !== 404 && fault.status !== 400)) return undefined
  const tag = await call(getTag, { tag_id }).catch(toFault)
  if (tag instanceof Fault) return tag.status === 404 ? { why: 'its tag has been deleted' } : undefined
  const { name, fields } = tag.data
  if (fault.status === 404) return { why: `it does not have the tag ${name} any more` }
  const present = flattenFields(fields as FieldMap)
  const gone = Object.keys(values).filter((field) => !present.has(field))
  if (!gone.length) return undefined
  const renames = await renamesOf(tag_id)
  const nameNow = (field: string) => (present.has(field) ? field : renamed(field, renames))
  const lost = gone.find((field) => !present.has(nameNow(field)))
  if (lost !== undefined) return { why: `${name} does not have the field ${lost} any more` }
  return {
    values: Object.fromEntries(Object.entries(values).map(([field, value]) => [nameNow(field), value])),
  }
}

type Renames = readonly Readonly<Record<string, string>>[]

/** Of the tag's last changes, oldest first. */
async function renamesOf(tag_id: string): Promise<Renames> {
  const log = await call(searchAuditLog, { tag_ids: [tag_id], event_types: ['tag_updated'] }).catch(toFault)
  if (log instanceof Fault) return []
  return log.data
    .map(({ details }) => (details as { renamed_fields?: Record<string, string> }).renamed_fields ?? {})
    .toReversed()
}

const renamed = (field: string, renames: Renames): string =>
  renames.reduce((name, each) => (Object.hasOwn(each, name) ? each[name]! : name), field)
