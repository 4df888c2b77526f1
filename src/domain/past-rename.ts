import type { FieldMap } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import type { EventDetails, PastEvent } from '#src/domain/past-event.ts'
import type { TagRename } from '#src/domain/renamed-entry.ts'
import { losesNames, netRenames, type NetRenames, NO_RENAMES, withoutLost } from '#src/domain/net-renames.ts'
import { renameInSchema, renameInValues, type TagRenames } from '#src/domain/tag-renames.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** A rename of fields or variants, as the log has it. */
export interface PastRename extends TagRename {
  event_id: Ulid
  tag_id: Ulid
}

/** Null where the event renamed nothing, also where it says so of fields that it left as they were. */
export function pastRename({ event_id, tag_id, details, state }: PastEvent): PastRename | null {
  const { renamed_fields, renamed_variants, old_values, new_values } = details
  if (tag_id === null || !(renamed_fields ?? renamed_variants)) return null
  const [before, after] = [old_values?.['fields'], new_values?.['fields']]
  if (!before || !after) return null
  const variants = Object.entries(renamed_variants ?? {})
  const schema_version = state?.schema_version ?? Infinity
  return {
    event_id,
    tag_id,
    renames: {
      fields: new Map(Object.entries(renamed_fields ?? {})),
      variants: new Map(variants.map(([field, names]) => [field, new Map(Object.entries(names))])),
    },
    before: before as FieldMap,
    after: after as FieldMap,
    schema_version,
    old_schema_version: state?.old_schema_version ?? Infinity,
  }
}

/** Events are asked for in the order of the log, so that one answer is enough. */
const known = new WeakMap<readonly PastRename[], { left: number; net: NetRenames }>()

/** What those of a tag's renames, oldest first, come to that followed an event. */
export function renamesAfter(renames: readonly PastRename[], event_id: Ulid): NetRenames {
  const first = renames.findIndex((each) => each.event_id > event_id)
  if (first < 0) return NO_RENAMES
  const last = known.get(renames)
  if (last?.left === renames.length - first) return last.net
  const net = netRenames(renames.slice(first).map((each) => each.renames))
  known.set(renames, { left: renames.length - first, net })
  return net
}

/** What takes the names back, where `later` renames have followed that stay. */
export function inverseRenames({ fields, variants }: TagRenames, later: NetRenames): TagRenames {
  const oldNames = new Map([...fields].map(([old, name]) => [name, old]))
  return {
    fields: oldNames,
    variants: new Map(
      [...variants].map(([field, names]) => [
        oldNames.get(field) ?? nameNow(field, later),
        new Map([...names].map(([old, name]) => [name, old])),
      ]),
    ),
  }
}

/** Whether names that a rename gave are others now. */
export const isRenamedAgain = ({ fields, variants }: TagRenames, later: NetRenames): boolean =>
  [...fields.values()].some((name) => nameNow(name, later) !== name) ||
  [...variants].some(([field, names]) =>
    [...names.values()].some((name) => later.variants.get(nameNow(field, later))?.has(name)),
  )

/** The name that a field has after renames. */
export const nameNow = (field: string, { fields }: NetRenames): string => fields.get(field) ?? field

/** Values of the past under the names that they have now. What had one of those names then has none. */
export const valuesNow = (values: FieldValues, renames: NetRenames): FieldValues =>
  renameInValues(withoutTaken(values, renames), renames)

/** Fields of the past in the same way. */
export const fieldsNow = (fields: FieldMap, renames: NetRenames): FieldMap =>
  renameInSchema(withoutLost(fields, renames), renames)

/** Undefined where one of them, or a variant, has lost its name to another. */
export const wholeFieldsNow = (fields: FieldMap, renames: NetRenames): FieldMap | undefined =>
  losesNames(fields, renames) ? undefined : renameInSchema(fields, renames)

const withoutTaken = (values: FieldValues, { lost }: NetRenames): FieldValues =>
  lost.size ? Object.fromEntries(Object.entries(values).filter(([name]) => !lost.has(name))) : values

/** What an event says of a tag on an item, under the names of now. */
export function detailsNow(details: EventDetails, renames: NetRenames): EventDetails {
  if (renames === NO_RENAMES) return details
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
