import { chosenVariant } from '#src/domain/field-values.ts'
import { type FlatFields, variantsOf } from '#src/domain/field-schema.ts'
import { renameInValues } from '#src/domain/tag-renames.ts'

type Names = Readonly<Record<string, string>>

/** What one change of a tag renamed. */
export interface Renamed {
  fields: Names
  /** By their field. */
  variants: Readonly<Record<string, Names>>
}

/** The name that something has by now, by the changes since it was last renamed from this one; oldest first. */
export function nameNow(name: string, renames: readonly Names[]): string {
  const from = renames.findLastIndex((each) => Object.hasOwn(each, name))
  if (from < 0) return name
  return renames.slice(from).reduce((now, each) => (Object.hasOwn(each, now) ? each[now]! : now), name)
}

/** A field may be called `constructor`. */
const ownOf = (variants: Renamed['variants'], field: string): Names | undefined =>
  Object.hasOwn(variants, field) ? variants[field] : undefined

/** What the changes renamed among the variants of a field, which had other names itself; oldest first. */
export function variantRenames(field: string, renames: readonly Renamed[]): readonly Names[] {
  let called = field
  const found = renames.toReversed().map(({ fields, variants }) => {
    const own = ownOf(variants, called) ?? {}
    called = Object.keys(fields).find((old) => fields[old] === called) ?? called
    return own
  })
  return found.toReversed()
}

/** Values of an earlier moment after every change since, oldest first: a name may be another one's by now. */
export const afterRenames = (
  values: Readonly<Record<string, unknown>>,
  renames: readonly Renamed[],
): Readonly<Record<string, unknown>> =>
  renames.reduce((now, { fields, variants }) => renameInValues(now, renamesOf(fields, variants)), values)

const renamesOf = (fields: Names, variants: Renamed['variants']) => ({
  fields: new Map(Object.entries(fields)),
  variants: new Map(
    Object.entries(variants).map(([field, names]) => [field, new Map(Object.entries(names))]),
  ),
})

/** Values by the names that their fields and variants have by now; what is there as it was stays. */
export function underNamesNow(
  values: Readonly<Record<string, unknown>>,
  fields: FlatFields,
  renames: readonly Renamed[],
): Record<string, unknown> {
  const byFields = renames.map((each) => each.fields)
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const now = fields.has(field) ? field : nameNow(field, byFields)
      const known = variantsOf(fields.get(now)?.schema ?? 'String')
      const byVariants = renames.map(({ variants }) => ownOf(variants, field) ?? ownOf(variants, now) ?? {})
      const variantNow = (name: unknown) =>
        typeof name !== 'string' || known.includes(name) ? name : nameNow(name, byVariants)
      const variant = chosenVariant(value)
      if (variant !== null) return [now, { variant: variantNow(variant) }]
      return [now, Array.isArray(value) && known.length ? value.map(variantNow) : value]
    }),
  )
}

/** What a value chooses under its names of then and of now: a Select’s one, or all of a list. */
export function variantPairs(before: unknown, after: unknown): [string, string][] {
  const [then, now] = [chosenIn(before), chosenIn(after)]
  return then.map((name, i) => [name, now[i] ?? name])
}

function chosenIn(value: unknown): readonly string[] {
  const variant = chosenVariant(value)
  if (variant !== null) return [variant]
  return Array.isArray(value) ? value.map(String) : []
}
