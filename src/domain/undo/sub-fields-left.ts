import { type FieldMap, type FlatFields, flattenFields } from '#src/domain/field-schema.ts'
import { isActive } from '#src/domain/field-values.ts'

/** Schemas that were laid flat: undo asks of the same one for each item. Null: it has no sub-fields. */
const known = new WeakMap<FieldMap, FlatFields | null>()

function withSubFields(fields: FieldMap): FlatFields | null {
  let flat = known.get(fields)
  if (flat === undefined) {
    const all = flattenFields(fields)
    flat = all.values().some(({ parents }) => parents) ? all : null
    known.set(fields, flat)
  }
  return flat
}

/** The sub-fields that have a value, and whose variant is not chosen. */
function inactiveIn(schema: FlatFields, values: ReadonlyMap<string, unknown>): Set<string> {
  const record = Object.fromEntries(values)
  return new Set(
    schema
      .values()
      .filter((field) => field.parents && (values.get(field.name) ?? null) !== null)
      .filter((field) => !isActive(schema, field, record))
      .map(({ name }) => name),
  )
}

/** A sub-field and the Selects that decide whether it has a value, up to the top. */
function familyOf(schema: FlatFields, name: string, family = new Set<string>()): Set<string> {
  if (family.has(name)) return family
  family.add(name)
  for (const { field } of schema.get(name)?.parents ?? []) familyOf(schema, field, family)
  return family
}

/**
 * Which of the fields that are to be set back cannot be, because others of the same item could not, or have been given a
 * value since: a sub-field would have a value without its variant, which no write leaves (decisions §4).
 * @param setBack the values where only these fields are set back
 */
export function subFieldsLeft(
  fields: FieldMap,
  present: ReadonlyMap<string, unknown>,
  wanted: readonly string[],
  setBack: (wanted: ReadonlySet<string>) => ReadonlyMap<string, unknown>,
): Set<string> {
  const left = new Set<string>()
  const schema = withSubFields(fields)
  if (!schema) return left
  const before = inactiveIn(schema, present)
  const going = new Set(wanted)
  for (;;) {
    const lost = [...inactiveIn(schema, setBack(going))].filter((name) => !before.has(name))
    const more = lost.flatMap((name) => [...familyOf(schema, name)]).filter((name) => going.has(name))
    if (!more.length) return left
    for (const name of more) {
      going.delete(name)
      left.add(name)
    }
  }
}
