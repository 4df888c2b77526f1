import type { FlatField, FlatFields } from '#src/domain/field-schema.ts'

/** A tag's values on an item by field name, sub-fields flat alongside the rest; as stored, nulls kept. */
export type FieldValues = Readonly<Record<string, unknown>>

/** The value of a field; null where it is absent. Names like `constructor` are fields like others. */
export const valueOf = (values: FieldValues, name: string): unknown =>
  Object.hasOwn(values, name) ? (values[name] ?? null) : null

/** The name of the variant that a Select's value chooses; null for anything else. */
export function chosenVariant(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'variant')) return null
  const { variant } = value as { variant: unknown }
  return typeof variant === 'string' ? variant : null
}

/** Whether the field may have a value besides these: always, or for a sub-field while one of its variants is chosen. */
export function isActive(fields: FlatFields, field: FlatField, values: FieldValues): boolean {
  if (!field.parents) return true
  return field.parents.some((parent) => {
    const select = fields.get(parent.field)
    const chosen = chosenVariant(valueOf(values, parent.field))
    return chosen !== null && parent.variants.includes(chosen) && !!select && isActive(fields, select, values)
  })
}
