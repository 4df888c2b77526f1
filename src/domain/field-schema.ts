/** A field's schema as it stands in a tag (specification, Tag: Field schema types). */
export type FieldSchema = ScalarType | SelectSchema | MultiSelectSchema

export const SCALAR_TYPES = ['String', 'Number', 'Boolean', 'Date', 'Reference'] as const
export type ScalarType = (typeof SCALAR_TYPES)[number]

export interface SelectSchema {
  type: 'Select'
  /** In order. A variant with sub-fields is an object. */
  variants: readonly SelectVariant[]
}
export type SelectVariant = string | { name: string; fields?: FieldMap }

export interface MultiSelectSchema {
  type: 'MultiSelect'
  variants: readonly string[]
}

export type FieldMap = Readonly<Record<string, FieldSchema>>

export type FieldType = ScalarType | 'Select' | 'MultiSelect'

export const typeOf = (schema: FieldSchema): FieldType => (typeof schema === 'string' ? schema : schema.type)

export const variantName = (variant: SelectVariant): string =>
  typeof variant === 'string' ? variant : variant.name

/** One field of a tag with the sub-fields of its variants laid flat: what values and filters speak of. */
export interface FlatField {
  name: string
  schema: FieldSchema
  type: FieldType
  /** For a sub-field: the Select that it hangs on and the variants under which it is allowed. */
  parent?: { field: string; variants: readonly string[] }
}

/** Fields and sub-fields (any depth) by name. Of a valid schema: sub-fields of one name have one type. */
export function flattenFields(fields: FieldMap): Map<string, FlatField> {
  const flat = new Map<string, FlatField>()
  const visit = (map: FieldMap, select?: string, variant?: string): void => {
    for (const [name, schema] of Object.entries(map)) {
      const known = flat.get(name)
      if (known?.parent && select !== undefined && variant !== undefined && known.parent.field === select)
        flat.set(name, { ...known, parent: { field: select, variants: [...known.parent.variants, variant] } })
      else
        flat.set(name, {
          name,
          schema,
          type: typeOf(schema),
          ...(select !== undefined &&
            variant !== undefined && { parent: { field: select, variants: [variant] } }),
        })
      if (typeof schema === 'object' && schema.type === 'Select')
        for (const each of schema.variants)
          if (typeof each === 'object' && each.fields) visit(each.fields, name, each.name)
    }
  }
  visit(fields)
  return flat
}
