import { withoutMarks } from '#src/domain/earlier-name.ts'
import { flattenFields, variantsOf } from '#src/domain/field-schema.ts'
import { renameInFilter } from '#src/filter/language/rename-in-filter.ts'
import { checkFilter } from '#src/filter/meaning/read-filter.ts'
import type { CatalogTag, TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import type { TagChange } from '#src/operations/tags/plan-tag-change.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'
import { listViewsOf, type ViewRow } from '#src/storage/views/views.ts'

interface ViewPreview {
  view_id: string
  name: string
  effect: string
}

/** Of a user's views those whose filter changes its words or its meaning, and how. */
export async function previewViews(
  context: SqlContext,
  tag: StoredTag,
  change: TagChange,
  user_id: string,
): Promise<ViewPreview[]> {
  const { db } = context
  const now = tagCatalog(context)
  const then = catalogWith(now, changedTag(tag, change))
  const views: ViewPreview[] = []
  for await (const { view_id, name, filter } of viewsOf(db, user_id)) {
    if (!filter.includes(tag.tag_id)) continue
    const stored: unknown = JSON.parse(filter)
    const renamed = renameInFilter(stored, tag.tag_id, change.renames)
    const before = new Set(await remarksOn(stored, now))
    const remarks = (await remarksOn(renamed, then)).filter((each) => !before.has(each))
    const effects = [...followingEffect(stored, renamed), ...remarks]
    if (effects.length) views.push({ view_id, name, effect: effects.join('. ') })
  }
  return views
}

function followingEffect(stored: unknown, renamed: unknown): string[] {
  if (renamed === stored) return []
  const [before, after] = [stored, renamed].map((each) => withoutMarks(JSON.stringify(each)))
  return [
    before === after
      ? 'Its filter goes on naming what had the new name earlier'
      : 'Its filter follows the new names',
  ]
}

/** Views that are read at once; each may be as long as its filter and settings may be. */
const PIECE = 16

async function* viewsOf(db: Db, user_id: string): AsyncGenerator<ViewRow, void> {
  for (let after: ViewRow | undefined; ;) {
    const views = await listViewsOf(db, user_id, { after, limit: PIECE })
    yield* views
    if (views.length < PIECE) return
    after = views.at(-1)
  }
}

async function remarksOn(filter: unknown, catalog: TagCatalog): Promise<string[]> {
  const { faults, warnings } = await checkFilter(filter, catalog)
  return [...faults.map(({ message }) => `Its filter is refused: ${message}`), ...warnings].map(withoutMarks)
}

/** The tag as filters would see it after the change. */
function changedTag(tag: StoredTag, { name, fields, renames }: TagChange): CatalogTag {
  const oldNames = new Map([...renames.fields].map(([old, each]) => [each, old]))
  const flat = [...flattenFields(fields).values()]
  return {
    ...tag.catalog,
    name,
    fields: new Map(
      flat.map((field) => {
        // Filters are only read here, so that a new field needs no number.
        const id = tag.rows.get(oldNames.get(field.name) ?? field.name)?.id ?? 0
        return [field.name, { ...field, id, variants: variantsOf(field.schema) }]
      }),
    ),
  }
}

const catalogWith = (catalog: TagCatalog, tag: CatalogTag): TagCatalog => ({
  ...catalog,
  byId: async (tag_id) => (tag_id === tag.tag_id ? tag : catalog.byId(tag_id)),
  byName: async (name) => {
    const found = name === tag.name ? tag : await catalog.byName(name)
    return found?.tag_id === tag.tag_id ? tag : found
  },
})
