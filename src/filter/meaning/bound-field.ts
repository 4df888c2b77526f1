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

/** What a name meant before it left the schema. */
export function leftField({ tag, name }: FieldReference): BoundField | undefined {
  const left = tag.left?.get(name)
  return left && boundField(tag, left)
}
