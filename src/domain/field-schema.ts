/** A field's schema as it is in a tag (specification, Tag: Field schema types; additions §8). */
export type FieldSchema = SimpleType | SimpleSchema | SelectSchema | MultiSelectSchema

/** The types that need no more than their name. */
export const SIMPLE_TYPES = [
  'String',
  'Number',
  'Boolean',
  'Date',
  'DateTime',
  'Reference',
  'MultiReference',
  'File',
] as const
type SimpleType = (typeof SIMPLE_TYPES)[number]

interface Described {
  /** For anyone who fills the field in. */
  description?: string
}

interface SimpleSchema extends Described {
  type: SimpleType
  /** Of a Reference or MultiReference: ids of the tags whose items are meant. A hint, not a rule. */
  of?: readonly string[]
  /** Hints of how values look (further §22): `email`, `url`, `phone` or `long` of a String, `percent` of a Number. */
  format?: string
  /** Of a Number, and where it stands: `before` or `behind`. */
  unit?: string
  unit_at?: string
  decimals?: number
  /** Of a Date or DateTime: shown as "in three days". */
  relative?: boolean
}

/** A variant that says more than its name. */
interface VariantLook {
  name: string
  /** Whoever has it is done with. */
  closed?: boolean
  /** 0 to 359. */
  hue?: number
}

interface SelectSchema extends Described {
  type: 'Select'
  /** In order. A variant with sub-fields is an object. */
  variants: readonly SelectVariant[]
}
export type SelectVariant = string | (VariantLook & { fields?: FieldMap })
export type MultiSelectVariant = string | (VariantLook & { fields?: undefined })

interface MultiSelectSchema extends Described {
  type: 'MultiSelect'
  variants: readonly MultiSelectVariant[]
}

export type FieldMap = Readonly<Record<string, FieldSchema>>

export const FIELD_TYPES = [...SIMPLE_TYPES, 'Select', 'MultiSelect'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** A field of such a type has several values at once, each with a row in the value index. */
export const isMany = (type: string): boolean => isSet(type) || type === 'File'

/** Its values are compared as a set. */
export const isSet = (type: string): boolean => type === 'MultiSelect' || type === 'MultiReference'

/** `->` leads through fields of such a type. */
export const isReference = (type: string | undefined): type is 'Reference' | 'MultiReference' =>
  type === 'Reference' || type === 'MultiReference'

const typeOf = (schema: FieldSchema): FieldType => (typeof schema === 'string' ? schema : schema.type)

export const variantName = (variant: SelectVariant): string =>
  typeof variant === 'string' ? variant : variant.name

/** Names of the variants of a Select or MultiSelect in order; none for other types. */
export const variantsOf = (schema: FieldSchema): string[] =>
  typeof schema === 'object' && 'variants' in schema ? schema.variants.map(variantName) : []

/** One field of a tag with the sub-fields of its variants laid flat: what values and filters speak of. */
export interface FlatField {
  name: string
  schema: FieldSchema
  type: FieldType
  /** For a sub-field: where it may be. It is active while one of these Selects has one of these variants. */
  parents?: readonly SubFieldParent[]
}

export interface SubFieldParent {
  /** The Select that the sub-field belongs to. */
  field: string
  variants: readonly string[]
}

export type FlatFields = ReadonlyMap<string, FlatField>

/** Fields and sub-fields (any depth) by name. Of a valid schema: sub-fields of one name have one schema. */
export function flattenFields(fields: FieldMap): Map<string, FlatField> {
  const flat = new Map<string, FlatField>()
  const visit = (map: FieldMap, select?: string, variant?: string): void => {
    for (const [name, schema] of Object.entries(map)) {
      const field: FlatField = { name, schema, type: typeOf(schema) }
      if (select !== undefined && variant !== undefined)
        field.parents = withParent(flat.get(name)?.parents ?? [], select, variant)
      flat.set(name, field)
      if (typeof schema === 'object' && schema.type === 'Select')
        for (const each of schema.variants)
          if (typeof each === 'object' && each.fields) visit(each.fields, name, each.name)
    }
  }
  visit(fields)
  return flat
}

function withParent(parents: readonly SubFieldParent[], field: string, variant: string): SubFieldParent[] {
  const others = parents.filter((parent) => parent.field !== field)
  const known = parents.find((parent) => parent.field === field)?.variants ?? []
  return [...others, { field, variants: known.includes(variant) ? known : [...known, variant] }]
}
