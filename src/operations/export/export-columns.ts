import { isReference } from '#src/domain/field-schema.ts'
import { MAX_HOPS } from '#src/filter/language/parse-filter.ts'
import type { BoundFilter, BoundLeaf } from '#src/filter/meaning/bound-filter.ts'
import { conditionsOf } from '#src/filter/meaning/filter-conditions.ts'
import type { CatalogTag, TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import type { ValuePath } from '#src/filter/meaning/value-path.ts'
import { bindSelection } from '#src/operations/items/item-selection.ts'
import { NO_ROW } from '#src/storage/past/named-tags.ts'

/** A column of a CSV file. */
export interface ExportColumn {
  header: string
  /** What the search is asked for: a property or a path. */
  ask: string
  /** Ids stand there, in place of which the names of items are written. */
  names?: true
}

const ALWAYS = ['item_id', 'name', 'description']

/** What every row begins with, and then `fields`, or all fields of the tags that a filter names. */
export async function exportColumns(
  fields: readonly string[] | undefined,
  filter: BoundFilter | undefined,
  catalog: TagCatalog,
): Promise<ExportColumn[]> {
  const wanted = fields ?? (filter ? fieldsOfTags(tagsNamedBy(filter)) : [])
  const { names, paths } = await bindSelection(wanted, catalog)
  const rest = [...new Set(names)].filter((name) => !ALWAYS.includes(name))
  return [
    ...ALWAYS.map((name) => ({ header: name, ask: name })),
    ...rest.map((name) => columnOf(name, paths.get(name))),
  ]
}

function columnOf(header: string, path: ValuePath | undefined): ExportColumn {
  if (path?.kind !== 'field' || !isReference(path.field.type)) return { header, ask: header }
  // Names of what the item itself refers to come alongside it; of what others refer to they are asked for.
  if (!path.hops.length) return { header, ask: header, names: true }
  return { header, ask: path.hops.length < MAX_HOPS ? `${header}->name` : header }
}

/** Of the base as it was, a view's filter knows the fields of today as well: those that came later are no columns. */
const fieldsOfTags = (tags: Iterable<CatalogTag>): string[] =>
  [...tags].flatMap((tag) =>
    [...tag.fields.values()].filter(({ id }) => id !== NO_ROW).map(({ name }) => `${tag.name}.${name}`),
  )

/** The tags that a filter names of the item itself, each once, in the order in which they come. */
function tagsNamedBy(filter: BoundFilter): Set<CatalogTag> {
  return new Set(conditionsOf(filter).flatMap(({ leaf }) => tagOf(leaf) ?? []))
}

function tagOf(leaf: BoundLeaf): CatalogTag | null {
  if (leaf.kind === 'has_tag') return leaf.tag
  return leaf.kind === 'field' || leaf.kind === 'hop' ? leaf.reference.tag : null
}
