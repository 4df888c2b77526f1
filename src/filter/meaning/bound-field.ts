import { nearest } from '#src/domain/nearest.ts'
import type { FieldReference } from '#src/filter/meaning/bound-filter.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { CatalogField, CatalogTag } from '#src/filter/meaning/tag-catalog.ts'

/** A field with the tag that it belongs to. */
export const boundField = ({ id, tag_id, name }: CatalogTag, field: CatalogField): BoundField => ({
  ...field,
  tag: id,
  tag_id,
  tag_name: name,
})

/** `Tag.field` that may be meant where the tag has no such field. */
export function meantField({ tag, name, above }: FieldReference): string | undefined {
  if (above !== undefined) return above
  const close = nearest(name, tag.fields.keys())
  return close === undefined ? undefined : `${tag.name}.${close}`
}

/** What is wrong with a reference to a field that its tag does not have, wherever one is asked for. */
export function noSuchField(reference: FieldReference): string {
  const meant = meantField(reference)
  const hint = meant === undefined ? '' : `; did you mean '${meant}'?`
  return `Tag '${reference.tag.name}' has no field '${reference.name}'${hint}`
}

/** What a name meant before it left the schema. */
export function leftField({ tag, name }: FieldReference): BoundField | undefined {
  const left = tag.left?.get(name)
  return left && boundField(tag, left)
}
