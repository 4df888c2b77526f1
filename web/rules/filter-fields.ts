import {
  flattenFields,
  type FieldMap,
  type FieldSchema,
  type FieldType,
  isReference,
  variantsOf,
} from '#src/domain/field-schema.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import { type VariantLook, variantLooks } from '#web/rules/variant-look.ts'

/** A field that a condition may be about. */
export interface FilterField {
  /** `Task.status`; by the tag's id where its name would not be read as one. */
  key: string
  tag: FilterTag
  name: string
  type: FieldType
  schema: FieldSchema
  variants: readonly string[]
  /** Of a Select or MultiSelect: how its variants look. */
  looks: readonly VariantLook[]
  /** Of references: tags whose items are meant. */
  of: readonly string[]
  description: string | undefined
}

/** A name that reads as something else in a key. */
const UNSAFE = /->|<-|^[0-9A-Z]{26}$/i

/** As a path names it: by names, where they read as such. */
export const keyOf = ({ tag_id, name }: Pick<FilterTag, 'tag_id' | 'name'>, field: string) =>
  `${UNSAFE.test(name) ? tag_id : name}.${field}`

const known = new WeakMap<FilterTag, readonly FilterField[]>()

/** The fields of a tag, sub-fields after their Select. */
export function fieldsOf(tag: FilterTag): readonly FilterField[] {
  const before = known.get(tag)
  if (before) return before
  const fields = [...flattenFields(tag.fields as FieldMap).values()].map(({ name, type, schema }) => ({
    key: keyOf(tag, name),
    tag,
    name,
    type,
    schema,
    variants: variantsOf(schema),
    looks: variantLooks(schema),
    of: (typeof schema === 'object' && 'of' in schema && schema.of) || [],
    description: typeof schema === 'object' ? schema.description : undefined,
  }))
  known.set(tag, fields)
  return fields
}

/** What the list of fields offers. */
export interface FieldChoice {
  /** `name`, `search`, `has_tag`, `Task.status`, `<-Task.project`. */
  subject: string
  label: string
  /** The heading under which it is. */
  group: string
  type: FieldType | 'Text' | 'Time' | 'Id' | 'search' | 'has_tag' | 'reverse' | 'changed'
  field?: FilterField
}

const OWN: readonly FieldChoice[] = [
  { subject: 'search', label: 'Any text', group: 'Item', type: 'search' },
  { subject: 'name', label: 'Name', group: 'Item', type: 'Text' },
  { subject: 'description', label: 'Description', group: 'Item', type: 'Text' },
  { subject: 'has_tag', label: 'Has tag', group: 'Item', type: 'has_tag' },
  { subject: 'created_at', label: 'Created', group: 'Item', type: 'Time' },
  { subject: 'updated_at', label: 'Changed', group: 'Item', type: 'Time' },
  { subject: 'changed_between', label: 'Changed between', group: 'Item', type: 'changed' },
  { subject: 'id', label: 'Id', group: 'Item', type: 'Id' },
]

/**
 * What a condition can be about, here or behind a reference: the fields of the tags that are meant, what every item
 * has, the fields of other tags, then references from elsewhere.
 */
export function fieldChoices(
  tags: readonly FilterTag[],
  first: readonly string[],
  { behind }: { behind: boolean },
): FieldChoice[] {
  const inOrder = [
    ...tags.filter(({ tag_id }) => first.includes(tag_id)),
    ...tags.filter(({ tag_id }) => !first.includes(tag_id)),
  ]
  const fields = inOrder.flatMap(fieldsOf)
  const meant = fields.filter(({ tag }) => first.includes(tag.tag_id))
  return [
    ...meant.map(choiceOf),
    ...OWN.filter(({ subject }) => !behind || subject !== 'search'),
    ...fields.filter(({ tag }) => !first.includes(tag.tag_id)).map(choiceOf),
    ...fields
      .filter(({ type }) => isReference(type))
      .toSorted((a, b) => points(b, first) - points(a, first))
      .map((field) => ({
        subject: `<-${field.key}`,
        label: `${field.tag.name}.${field.name}`,
        group: 'Referred to by',
        type: 'reverse' as const,
        field,
      })),
  ]
}

const choiceOf = (field: FilterField): FieldChoice => ({
  subject: field.key,
  label: field.name,
  group: field.tag.name,
  type: field.type,
  field,
})

const points = ({ of }: FilterField, first: readonly string[]): number =>
  of.some((tag) => first.includes(tag)) ? 1 : 0
