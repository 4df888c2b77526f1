import type { FieldValues } from '#src/domain/field-values.ts'
import { sameJson } from '#src/domain/same-json.ts'

/** What the event of a change says: the fields that differ, as they were and as they are; absent ones left out. */
export interface FieldValueChanges {
  fields_changed: string[]
  old_values: FieldValues
  new_values: FieldValues
}

/** A null that was given and a field that was never given are different. */
export function fieldValueChanges(before: FieldValues, after: FieldValues): FieldValueChanges {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const fields_changed = [...names].filter(
    (name) =>
      Object.hasOwn(before, name) !== Object.hasOwn(after, name) || !sameJson(before[name], after[name]),
  )
  const changed = (values: FieldValues) =>
    Object.fromEntries(
      fields_changed.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]),
    )
  return { fields_changed, old_values: changed(before), new_values: changed(after) }
}
