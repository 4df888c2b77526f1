import { checkFieldValues, checkSubFields } from '#src/domain/check-field-values.ts'
import { flattenFields, type FieldMap, type FlatFields } from '#src/domain/field-schema.ts'
import { sameShape } from '#src/domain/field-shape.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { renameInSchema, renameInValues, type TagRenames } from '#src/domain/tag-renames.ts'

/** A change of a tag's fields in which names follow. */
export interface TagRename {
  renames: TagRenames
  /** The fields before and after. */
  before: FieldMap
  after: FieldMap
  old_schema_version: number
  schema_version: number
}

/** A tag on an item. */
export interface RenamedEntry {
  schema_version: number
  values: FieldValues
}

/**
 * What a rename makes of the tag's entry on an item: what was up to date stays so, and what fits the new schema is
 * brought to it. The same object where nothing changes.
 */
export function entryRenamer(rename: TagRename): (entry: RenamedEntry) => RenamedEntry {
  const { renames, before, after, old_schema_version, schema_version } = rename
  const alike = sameShape(renameInSchema(before, renames), after)
  const schema = flattenFields(after)
  return (entry) => {
    const values = renameInValues(withoutNulls(entry.values, renames), renames)
    const moves = (alike && entry.schema_version === old_schema_version) || fits(schema, values)
    if (values === entry.values && (!moves || entry.schema_version === schema_version)) return entry
    return { schema_version: moves ? schema_version : entry.schema_version, values }
  }
}

/** Nulls of earlier fields that have the new names: they are not in the way, and go. */
export const nullsInTheWay = (values: FieldValues, { fields }: TagRenames): string[] =>
  [...fields.values()].filter((name) => Object.hasOwn(values, name))

function withoutNulls(values: FieldValues, renames: TagRenames): FieldValues {
  const names = nullsInTheWay(values, renames)
  if (!names.length) return values
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}

export const fits = (schema: FlatFields, values: FieldValues): boolean =>
  !checkFieldValues(schema, values).problems.length && !checkSubFields(schema, values, values).length
