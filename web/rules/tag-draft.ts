import { checkFieldSchema } from '#src/domain/check-field-schema.ts'
import { checkTagName } from '#src/domain/names.ts'
import type { TagLook } from '#src/domain/tag-look.ts'
import {
  SIMPLE_TYPES,
  type FieldMap,
  type FieldSchema,
  type FieldType,
  type SelectVariant,
} from '#src/domain/field-schema.ts'

import { newKey } from '#web/rules/new-key.ts'
import { type FieldLook, lookOfField } from '#web/rules/shown-value.ts'

export type { FieldType }

export const FIELD_TYPES: readonly FieldType[] = [...SIMPLE_TYPES, 'Select', 'MultiSelect']

/** A tag as it is being edited. Whatever has a `was` stood there before under that name. */
export interface TagDraft {
  name: string
  description: string
  extends: readonly string[]
  /** What is set by hand; empty: its face is derived. */
  look: TagLook
  fields: readonly FieldDraft[]
}

export interface FieldDraft {
  /** Stays while the name is typed. */
  key: string
  name: string
  was: string | null
  type: FieldType
  description: string
  /** Of a reference: ids of the tags whose items are meant. */
  of: readonly string[]
  variants: readonly VariantDraft[]
  /** How it looks (further §22), as long as the type stays. */
  hints: { type: FieldType; look: FieldLook } | null
  /** As the tag has it: what is not touched is given back to the letter. */
  given: FieldSchema | null
}

/** Of a variant (further §22). */
export interface DraftLook {
  closed?: boolean
  hue?: number
}

export interface VariantDraft {
  key: string
  name: string
  was: string | null
  fields: readonly FieldDraft[]
  look: DraftLook
}

/** What a draft is made of. */
export interface TagAsGiven {
  name: string
  description: string | null
  extends: readonly string[]
  look?: TagLook | undefined
  fields: Readonly<Record<string, unknown>>
}

export const draftOf = ({ name, description, extends: bases, look = {}, fields }: TagAsGiven): TagDraft => ({
  name,
  description: description ?? '',
  extends: bases,
  look,
  fields: fieldDrafts(fields as FieldMap),
})

export const emptyDraft = (): TagDraft => ({ name: '', description: '', extends: [], look: {}, fields: [] })

/** The fields of a template: nothing of it stood there before. */
export function newDraft(given: TagAsGiven): TagDraft {
  const again = (fields: readonly FieldDraft[]): FieldDraft[] =>
    fields.map((field) => ({
      ...field,
      was: null,
      variants: field.variants.map((each) => ({ ...each, was: null, fields: again(each.fields) })),
    }))
  const draft = draftOf(given)
  return { ...draft, fields: again(draft.fields) }
}

export const newField = (type: FieldType = 'String'): FieldDraft => ({
  key: newKey(),
  name: '',
  was: null,
  type,
  description: '',
  of: [],
  variants: [],
  hints: null,
  given: null,
})

export const newVariant = (name = ''): VariantDraft => ({
  key: newKey(),
  name,
  was: null,
  fields: [],
  look: {},
})

const fieldDrafts = (fields: FieldMap): FieldDraft[] =>
  Object.entries(fields).map(([name, schema]) => fieldDraft(name, schema))

function fieldDraft(name: string, schema: FieldSchema): FieldDraft {
  const field = { ...newField(), name, was: name, given: schema }
  if (typeof schema === 'string') return { ...field, type: schema }
  return {
    ...field,
    hints: { type: schema.type, look: lookOfField(schema) },
    type: schema.type,
    description: schema.description ?? '',
    of: 'of' in schema ? (schema.of ?? []) : [],
    variants: 'variants' in schema ? schema.variants.map(variantDraft) : [],
  }
}

function variantDraft(variant: SelectVariant): VariantDraft {
  if (typeof variant === 'string') return { ...newVariant(variant), was: variant }
  const { name, fields = {}, ...look } = variant
  return { ...newVariant(name), was: name, fields: fieldDrafts(fields), look }
}

export const hasVariants = (type: FieldType): boolean => type === 'Select' || type === 'MultiSelect'
export const isReferring = (type: FieldType): boolean => type === 'Reference' || type === 'MultiReference'

const mapOf = (fields: readonly FieldDraft[]): FieldMap =>
  Object.fromEntries(fields.map((field) => [field.name.trim(), schemaOf(field)]))

function schemaOf(field: FieldDraft): FieldSchema {
  const schema = plainSchema(field)
  if (field.given === null) return schema
  const untouched = plainSchema(fieldDraft(field.name, field.given))
  return JSON.stringify(schema) === JSON.stringify(untouched) ? field.given : schema
}

function plainSchema({ type, description, of, variants, hints }: FieldDraft): FieldSchema {
  const described = {
    ...(hints?.type === type && hints.look),
    ...(description.trim() && { description: description.trim() }),
  }
  if (type === 'MultiSelect') return { type, variants: variants.map((each) => variantOf(each)), ...described }
  if (type === 'Select')
    return {
      type,
      variants: variants.map((each) =>
        variantOf(each, each.fields.length ? { fields: mapOf(each.fields) } : {}),
      ),
      ...described,
    }
  const pointed = isReferring(type) && of.length ? { of } : {}
  return Object.keys({ ...described, ...pointed }).length ? { type, ...pointed, ...described } : type
}

const variantOf = <More extends object>({ name, look }: VariantDraft, more?: More) =>
  Object.keys({ ...look, ...more }).length ? { name: name.trim(), ...look, ...more } : name.trim()

/** The fields as the service takes them. */
export const fieldsOf = (draft: TagDraft): FieldMap => mapOf(draft.fields)

export interface TagChange {
  name?: string
  description?: string | null
  extends?: string[]
  look?: TagLook | null
  fields?: Record<string, unknown>
  rename_fields?: Record<string, string>
  rename_variants?: Record<string, Record<string, string>>
}

/** What of the tag the draft changes; nothing: null. A name that was typed over is a rename, never a removal. */
export function changeOf(tag: TagAsGiven, draft: TagDraft): TagChange | null {
  const change: TagChange = {}
  if (draft.name.trim() !== tag.name) change.name = draft.name.trim()
  const description = draft.description.trim() || null
  if (description !== (tag.description?.trim() || null)) change.description = description
  if (JSON.stringify(draft.extends) !== JSON.stringify(tag.extends)) change.extends = [...draft.extends]
  if (!sameLook(draft.look, tag.look ?? {})) change.look = lookToWrite(draft) ?? null
  const fields = fieldsOf(draft)
  if (JSON.stringify(fields) !== JSON.stringify(tag.fields)) change.fields = fields
  return Object.keys(change).length ? { ...change, ...renamesOf(draft) } : null
}

const sameLook = (a: TagLook, b: TagLook): boolean => a.sign === b.sign && a.hue === b.hue

/** undefined: the tag has none of its own. */
export const lookToWrite = ({ look: { sign, hue } }: TagDraft): TagLook | undefined =>
  sign === undefined && hue === undefined
    ? undefined
    : { ...(sign !== undefined && { sign }), ...(hue !== undefined && { hue }) }

/** Every field and sub-field, with what it lies in. */
export function allFields(fields: readonly FieldDraft[]): FieldDraft[] {
  return fields.flatMap((field) => [field, ...field.variants.flatMap((each) => allFields(each.fields))])
}

function renamesOf(draft: TagDraft): Pick<TagChange, 'rename_fields' | 'rename_variants'> {
  const all = allFields(draft.fields)
  const fields = all.flatMap(({ was, name }) =>
    was !== null && was !== name.trim() ? [[was, name.trim()] as const] : [],
  )
  const variants = all.flatMap((field) => {
    if (field.was === null || !hasVariants(field.type)) return []
    const renamed = field.variants.flatMap(({ was, name }) =>
      was !== null && was !== name.trim() ? [[was, name.trim()] as const] : [],
    )
    return renamed.length ? [[field.was, Object.fromEntries(renamed)] as const] : []
  })
  return {
    ...(fields.length && { rename_fields: Object.fromEntries(fields) }),
    ...(variants.length && { rename_variants: Object.fromEntries(variants) }),
  }
}

/** What is wrong, by the key of the field or variant; `name` is the tag's own. Empty: the service may be asked. */
export function faultsOf(draft: TagDraft): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  const [named] = checkTagName(draft.name.trim())
  if (named) faults.set('name', draft.name.trim() ? `The name ${named.message}` : 'A tag needs a name')
  twice(draft.fields, faults)
  if (faults.size > (named ? 1 : 0)) return faults
  for (const { path, message } of checkFieldSchema(fieldsOf(draft))) {
    const key = placeOf(path, draft.fields, 'fields') ?? 'fields'
    if (!faults.has(key)) faults.set(key, capital(message))
  }
  return faults
}

/** A map cannot hold two of one name, so these are looked for before it is made. */
function twice(fields: readonly FieldDraft[], faults: Map<string, string>): void {
  const seen = new Set<string>()
  for (const { key, name, variants } of fields) {
    if (!name.trim()) faults.set(key, 'A field needs a name')
    else if (seen.has(name.trim())) faults.set(key, `There is a field “${name.trim()}” already`)
    seen.add(name.trim())
    for (const variant of variants) {
      if (!variant.name.trim()) faults.set(variant.key, 'A variant needs a name')
      twice(variant.fields, faults)
    }
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Whose place `fields.status.variants[2]` is. */
export function placeOf(path: string, fields: readonly FieldDraft[], at = 'fields'): string | undefined {
  for (const field of fields) {
    const here = `${at}.${field.name.trim()}`
    if (path !== here && !path.startsWith(`${here}.`)) continue
    for (const [i, variant] of field.variants.entries()) {
      const there = `${here}.variants[${i}]`
      if (path === there) return variant.key
      if (path.startsWith(`${there}.`)) return placeOf(path, variant.fields, `${there}.fields`) ?? variant.key
    }
    return field.key
  }
  return undefined
}

/** The draft with one field or sub-field as `change` makes it; null takes it away. A shared sub-field changes everywhere. */
export function changeField(
  fields: readonly FieldDraft[],
  key: string,
  change: (field: FieldDraft) => FieldDraft | null,
): FieldDraft[] {
  return fields.flatMap((field) => {
    if (field.key === key) return change(field) ?? []
    const variants = field.variants.map((variant) =>
      variant.fields.length ? { ...variant, fields: changeField(variant.fields, key, change) } : variant,
    )
    return [{ ...field, variants }]
  })
}

/** Sub-fields of one name are one field: its new name is that of all. */
export function renameField(fields: readonly FieldDraft[], key: string, name: string): FieldDraft[] {
  const { was } = allFields(fields).find((each) => each.key === key) ?? {}
  const visit = (some: readonly FieldDraft[]): FieldDraft[] =>
    some.map((field) => ({
      ...field,
      ...((field.key === key || (was && field.was === was)) && { name }),
      variants: field.variants.map((each) =>
        each.fields.length ? { ...each, fields: visit(each.fields) } : each,
      ),
    }))
  return visit(fields)
}
