import { nearest } from '#src/domain/nearest.ts'
import type { FieldReference } from '#src/filter/meaning/bound-filter.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { CatalogField, CatalogTag, TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

/** Tags that are looked through for a field that somebody takes for inherited: it is about a hint. */
const MAX_TAGS = 100

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

/**
 * `Base.field` by the field's name, of the tags that a tag extends over any number of levels, nearest first: what is
 * meant where a field is taken for inherited (decisions, Extension: nothing is but `has_tag`).
 */
export async function fieldsAbove(
  tag: CatalogTag,
  catalog: Pick<TagCatalog, 'bases'>,
): Promise<ReadonlyMap<string, string>> {
  const fields = new Map<string, string>()
  const above = new Map<number, CatalogTag>()
  const note = async (lower: CatalogTag) => {
    for (const base of await catalog.bases(lower)) if (above.size < MAX_TAGS) above.set(base.id, base)
  }
  await note(tag)
  // A map hands out what is added to it meanwhile, each once.
  for (const base of above.values()) {
    for (const name of base.fields.keys()) if (!fields.has(name)) fields.set(name, `${base.name}.${name}`)
    await note(base)
  }
  return fields
}
