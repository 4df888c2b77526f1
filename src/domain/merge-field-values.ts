import type { FlatFields } from '#src/domain/field-schema.ts'
import { chosenVariant, isActive, valueOf, type FieldValues } from '#src/domain/field-values.ts'

/**
 * The values after a merge (decisions §4): what is given replaces, the rest stays, even where the schema no longer
 * fits it. A null clears; a field that has left the schema goes altogether. Stored keys keep their place.
 */
export function mergeFieldValues(fields: FlatFields, stored: FieldValues, given: FieldValues): FieldValues {
  const merged = new Map(Object.entries(stored))
  for (const [name, value] of Object.entries(given))
    if (value === null && !fields.has(name)) merged.delete(name)
    else merged.set(name, value)
  const result: FieldValues = Object.fromEntries(merged)
  const left = leftBehind(fields, stored, given, result)
  if (!left.length) return result
  for (const name of left) merged.delete(name)
  return Object.fromEntries(merged)
}

/** Stored sub-fields of the Selects whose variant the merge switches, where the new variant does not have them. */
function leftBehind(
  fields: FlatFields,
  stored: FieldValues,
  given: FieldValues,
  result: FieldValues,
): string[] {
  const switched = new Set<string>()
  for (const name of Object.keys(given))
    if (
      fields.get(name)?.type === 'Select' &&
      chosenVariant(valueOf(stored, name)) !== chosenVariant(valueOf(result, name))
    )
      switched.add(name)
  if (!switched.size) return []
  return Object.keys(stored).filter((name) => {
    const field = fields.get(name)
    return (
      field?.parents &&
      !Object.hasOwn(given, name) &&
      hangsOn(fields, name, switched) &&
      !isActive(fields, field, result)
    )
  })
}

/** Directly or through a Select that is itself a sub-field. */
const hangsOn = (fields: FlatFields, name: string, selects: ReadonlySet<string>): boolean =>
  fields
    .get(name)
    ?.parents?.some((parent) => selects.has(parent.field) || hangsOn(fields, parent.field, selects)) ?? false
