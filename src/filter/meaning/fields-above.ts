import type { CatalogTag, TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

/** Tags that are looked through: it is about a hint. */
const MAX_TAGS = 100

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
