import { conditionsOf, fieldsOf } from '#src/filter/meaning/filter-conditions.ts'
import type { BoundFilter } from '#src/filter/meaning/bound-filter.ts'
import { renameInFilter } from '#src/filter/language/rename-in-filter.ts'
import type { CatalogField, CatalogTag, TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import type { Db } from '#src/sql/query.ts'
import { findTagById } from '#src/storage/tags/tags.ts'
import { NO_ROW } from '#src/storage/past/named-tags.ts'
import type { PastBase } from '#src/storage/past/past-base.ts'

type Filter = Record<string, unknown>

/** The filter of a view of today under the names that fields and variants had then. */
export function viewFilterThen(filter: Filter, { tags }: PastBase): Filter {
  let past: unknown = filter
  for (const [tag_id, renames] of tags.renamed)
    for (const each of renames) past = renameInFilter(past, tag_id, each)
  return past as Filter
}

/** The catalog of then, with the tags and fields of today that were not there: null on every item. */
export const withLaterFields = (base: Db, catalog: TagCatalog): TagCatalog => ({
  ...catalog,
  async byId(tag_id) {
    const past = await catalog.byId(tag_id)
    const now = (await findTagById(base, tag_id))?.catalog
    if (!now) return past
    const later = [...now.fields.values()]
      .filter(({ name }) => !past?.fields.has(name))
      .map((field): [string, CatalogField] => [field.name, { ...field, id: NO_ROW }])
    return { ...(past ?? { ...now, id: NO_ROW }), fields: new Map([...(past?.fields ?? []), ...later]) }
  },
  extending: async (tag: CatalogTag) => (tag.id === NO_ROW ? [NO_ROW] : catalog.extending(tag)),
})

/** What a filter speaks of that was not there then. */
export function laterNames(filter: BoundFilter): string[] {
  const names = conditionsOf(filter).flatMap(({ leaf }) => [
    ...fieldsOf(leaf).flatMap(({ tag, name, field }) =>
      field?.id === NO_ROW ? [`${tag.name}.${name}`] : [],
    ),
    ...(leaf.kind === 'has_tag' && leaf.tag?.id === NO_ROW ? [leaf.tag.name] : []),
  ])
  return [...new Set(names)].map((name) => `'${name}' was not there then, so it is null on every item`)
}
