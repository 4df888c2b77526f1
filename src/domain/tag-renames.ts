import { checkFieldName, checkVariantName } from '#src/domain/check-field-schema.ts'
import type { Problem } from '#src/domain/errors.ts'
import {
  type FieldMap,
  type FieldSchema,
  type FlatFields,
  type SelectVariant,
  variantsOf,
} from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { nearest } from '#src/domain/nearest.ts'

/** New names by old ones (additions §8): of fields, and of the variants of fields, these by their new names. */
export interface TagRenames {
  fields: ReadonlyMap<string, string>
  variants: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** As they are asked for: a field whose variants are renamed goes by its old or its new name. */
export interface GivenRenames {
  rename_fields?: Record<string, string> | undefined
  rename_variants?: Record<string, Record<string, string>> | undefined
}

/** The renames that a tag's fields allow, and every fault of the others. */
export function readRenames(
  fields: FlatFields,
  { rename_fields = {}, rename_variants = {} }: GivenRenames,
): { renames: TagRenames; problems: Problem[] } {
  const problems: Problem[] = []
  const names = new Map(Object.entries(rename_fields))
  problems.push(...checkNames(names, [...fields.keys()], 'rename_fields', 'field', checkFieldName))
  const oldNames = new Map([...names].map(([old, name]) => [name, old]))
  const variants = new Map<string, ReadonlyMap<string, string>>()
  for (const [given, renamed] of Object.entries(rename_variants)) {
    const path = `rename_variants.${given}`
    const old = fields.has(given) ? given : (oldNames.get(given) ?? given)
    const known = variantsOf(fields.get(old)?.schema ?? 'String')
    const of = new Map(Object.entries(renamed))
    if (!fields.has(old)) problems.push({ path, message: unknownName('field', given, [...fields.keys()]) })
    else if (!known.length) problems.push({ path, message: `a ${fields.get(old)!.type} has no variants` })
    else problems.push(...checkNames(of, known, path, 'variant', checkVariantName))
    if (of.size) variants.set(names.get(old) ?? old, of)
  }
  return { renames: { fields: names, variants }, problems }
}

function checkNames(
  renamed: ReadonlyMap<string, string>,
  known: readonly string[],
  path: string,
  kind: 'field' | 'variant',
  faultsOf: (name: string) => string[],
): Problem[] {
  const there = new Set(known)
  const taken = new Set<string>()
  return [...renamed].flatMap(([old, name]) => {
    const faults = there.has(old) ? [] : [unknownName(kind, old, known)]
    if (there.has(name)) faults.push(`the ${kind} '${name}' is there already`)
    else if (taken.has(name)) faults.push(`two ${kind}s cannot both become '${name}'`)
    else faults.push(...faultsOf(name))
    taken.add(name)
    return faults.map((message) => ({ path: `${path}.${old}`, message }))
  })
}

function unknownName(kind: string, name: string, known: readonly string[]): string {
  const close = nearest(name, known)
  return `unknown ${kind} '${name}'${close === undefined ? '' : `; did you mean '${close}'?`}`
}

export const hasRenames = ({ fields, variants }: TagRenames): boolean => fields.size + variants.size > 0

/** The field map under its new names, in the order that it has. */
export function renameInSchema(map: FieldMap, renames: TagRenames): FieldMap {
  return Object.fromEntries(
    Object.entries(map).map(([old, schema]) => {
      const name = renames.fields.get(old) ?? old
      return [name, renameVariants(schema, renames.variants.get(name) ?? new Map(), renames)]
    }),
  )
}

function renameVariants(
  schema: FieldSchema,
  names: ReadonlyMap<string, string>,
  renames: TagRenames,
): FieldSchema {
  if (typeof schema === 'string' || !('variants' in schema)) return schema
  const newName = (old: string) => names.get(old) ?? old
  if (schema.type === 'MultiSelect')
    return {
      ...schema,
      variants: schema.variants.map((each) =>
        typeof each === 'string' ? newName(each) : { ...each, name: newName(each.name) },
      ),
    }
  const variants = schema.variants.map((variant): SelectVariant => {
    if (typeof variant === 'string') return newName(variant)
    const { fields } = variant
    return {
      ...variant,
      name: newName(variant.name),
      ...(fields && { fields: renameInSchema(fields, renames) }),
    }
  })
  return { ...schema, variants }
}

/** Values under their new names, in the order that they have; the same object where nothing is renamed. */
export function renameInValues(values: FieldValues, renames: TagRenames): FieldValues {
  let changed = false
  const entries = Object.entries(values).map(([old, value]): [string, unknown] => {
    const name = renames.fields.get(old) ?? old
    const names = renames.variants.get(name)
    const renamed = names ? renameVariantsIn(value, names) : value
    changed ||= name !== old || renamed !== value
    return [name, renamed]
  })
  return changed ? Object.fromEntries(entries) : values
}

/** Of a Select's value, or of an array of variants: also one that an older schema left. */
function renameVariantsIn(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value))
    return value.some((each) => names.has(each as string))
      ? value.map((each: unknown) => names.get(each as string) ?? each)
      : value
  if (typeof value !== 'object' || value === null) return value
  const { variant } = value as { variant?: unknown }
  const name = names.get(variant as string)
  return name === undefined ? value : { ...value, variant: name }
}

/** What is where renamed values are to be: kept from a field or variant that left the schema. */
export function inTheWay(values: FieldValues, renames: TagRenames): string | undefined {
  for (const name of renames.fields.values())
    if (Object.hasOwn(values, name) && values[name] !== null) return `a value of an earlier field '${name}'`
  for (const [field, names] of renames.variants) {
    const old = [...renames.fields].find(([, name]) => name === field)?.[0] ?? field
    const value = Object.hasOwn(values, old) ? values[old] : null
    const chosen = Array.isArray(value) ? value : [(value as { variant?: unknown } | null)?.variant]
    for (const name of names.values())
      if (chosen.includes(name)) return `an earlier variant '${name}' of '${field}'`
  }
  return undefined
}
