import type { FieldMap } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import type { EventDetails, PastEvent } from '#src/domain/past-event.ts'
import type { TagRename } from '#src/domain/renamed-entry.ts'
import { renameInSchema, renameInValues, type TagRenames } from '#src/domain/tag-renames.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** A rename of fields or variants, as the log has it. */
export interface PastRename extends TagRename {
  event_id: Ulid
  tag_id: Ulid
}

/** Null where the event renamed nothing. */
export function pastRename({ event_id, tag_id, details, state }: PastEvent): PastRename | null {
  const { renamed_fields, renamed_variants, old_values, new_values } = details
  if (tag_id === null || !(renamed_fields ?? renamed_variants)) return null
  const variants = Object.entries(renamed_variants ?? {})
  const schema_version = state?.schema_version ?? Infinity
  return {
    event_id,
    tag_id,
    renames: {
      fields: new Map(Object.entries(renamed_fields ?? {})),
      variants: new Map(variants.map(([field, names]) => [field, new Map(Object.entries(names))])),
    },
    before: old_values!['fields'] as FieldMap,
    after: new_values!['fields'] as FieldMap,
    schema_version,
    old_schema_version: state?.old_schema_version ?? Infinity,
  }
}

/** What takes the names back, where `later` renames have followed that stay. */
export function inverseRenames({ fields, variants }: TagRenames, later: readonly TagRenames[]): TagRenames {
  const oldNames = new Map([...fields].map(([old, name]) => [name, old]))
  return {
    fields: oldNames,
    variants: new Map(
      [...variants].map(([field, names]) => [
        nameNow(oldNames.get(field) ?? field, later),
        new Map([...names].map(([old, name]) => [name, old])),
      ]),
    ),
  }
}

/** Whether names that a rename gave are others now. */
export const isRenamedAgain = ({ fields, variants }: TagRenames, later: readonly TagRenames[]): boolean =>
  [...fields.values()].some((name) => nameNow(name, later) !== name) ||
  [...variants].some(([field, names]) =>
    [...names.values()].some((variant) => variantNow(field, variant, later) !== variant),
  )

/** The name that a variant has after renames of it, and of its field. */
function variantNow(field: string, variant: string, renames: readonly TagRenames[]): string {
  let [of, name] = [field, variant]
  for (const { fields, variants } of renames) {
    of = fields.get(of) ?? of
    name = variants.get(of)?.get(name) ?? name
  }
  return name
}

/** The name that a field has after renames, oldest first. */
export const nameNow = (field: string, renames: readonly TagRenames[]): string =>
  renames.reduce((name, { fields }) => fields.get(name) ?? name, field)

/** Values of the past under the names that they have now. What had one of those names then has none. */
export const valuesNow = (values: FieldValues, renames: readonly TagRenames[]): FieldValues =>
  renames.reduce((then, each) => renameInValues(withoutTaken(then, each), each), values)

/** Fields of the past in the same way. */
export const fieldsNow = (fields: FieldMap, renames: readonly TagRenames[]): FieldMap =>
  renames.reduce((then, each) => renameInSchema(withoutTaken(then, each), each), fields)

/** Without what has a name that something else gets; two may change their names with each other. */
function withoutTaken<T extends object>(named: T, { fields }: TagRenames): T {
  const taken = new Set(fields.values())
  const kept = Object.entries(named).filter(([name]) => !taken.has(name) || fields.has(name))
  return Object.fromEntries(kept) as T
}

/** What an event says of a tag on an item, under the names of now. */
export function detailsNow(details: EventDetails, renames: readonly TagRenames[]): EventDetails {
  if (!renames.length) return details
  const { initial_values, old_values, new_values, fields_changed } = details
  const now = (values: FieldValues) => valuesNow(values, renames)
  return {
    ...details,
    ...(initial_values && { initial_values: now(initial_values) }),
    ...(old_values && { old_values: now(old_values) }),
    ...(new_values && { new_values: now(new_values) }),
    ...(fields_changed && { fields_changed: fields_changed.map((field) => nameNow(field, renames)) }),
  }
}
