import { flattenFields, type FieldMap, variantsOf } from '#src/domain/field-schema.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { CatalogField, CatalogTag, TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

/** What a tag must say for filters. */
export interface FilterTag {
  tag_id: string
  name: string
  fields: Readonly<Record<string, unknown>>
  extends: readonly string[]
}

/** The tags as `GET /api/tags` lists them, for binding filters in the browser as the service binds them. */
export function tagCatalog(tags: readonly FilterTag[], now = new Date()): TagCatalog {
  let fieldId = 0
  const catalog = new Map(
    tags.map((tag, i): [Ulid, CatalogTag] => {
      const fields = [...flattenFields(tag.fields as FieldMap).values()].map(
        ({ name, type, schema, parents }): CatalogField => ({
          id: ++fieldId,
          name,
          type,
          variants: variantsOf(schema),
          parents,
        }),
      )
      const byName = new Map(fields.map((field) => [field.name, field]))
      return [tag.tag_id, { id: i + 1, tag_id: tag.tag_id, name: tag.name, fields: byName }]
    }),
  )
  const byName = new Map([...catalog.values()].map((tag) => [tag.name, tag]))
  return {
    time: { now, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    byId: async (tag_id) => catalog.get(tag_id),
    byName: async (name) => byName.get(name),
    names: async () => [...byName.keys()],
    // Which rows are searched is the service's affair; here only words are made.
    textFields: async () => [],
    extending: async (tag) => withThoseBelow(tag.tag_id, tags).map((tag_id) => catalog.get(tag_id)!.id),
    bases: async (tag) => (tags[tag.id - 1]?.extends ?? []).flatMap((tag_id) => catalog.get(tag_id) ?? []),
    // Whether an item exists the service knows: its warnings say so.
    itemRowIds: async (item_ids) => new Map(item_ids.map((item_id, i) => [item_id, i + 1])),
  }
}

/** The tag and all that extend it, over any number of levels. */
function withThoseBelow(tag_id: string, tags: readonly FilterTag[]): string[] {
  const found = new Set([tag_id])
  for (const above of found) for (const tag of tags) if (tag.extends.includes(above)) found.add(tag.tag_id)
  return [...found]
}
