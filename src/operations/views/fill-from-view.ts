import { type FieldValues, isActive } from '#src/domain/field-values.ts'
import { defaultsOf } from '#src/filter/meaning/defaults-of.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { checkFilter } from '#src/filter/meaning/read-filter.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { NewItem, TagToApply } from '#src/operations/schemas/inputs.ts'
import { brokenView } from '#src/operations/views/narrowed-view.ts'
import { readableView } from '#src/operations/views/own-view.ts'
import type { Db } from '#src/sql/query.ts'
import { liveTargets } from '#src/storage/value-index/reference-targets.ts'
import { liveItem } from '#src/storage/items/items.ts'
import { matchingAmong } from '#src/storage/search/matching-items.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { findTag, findTagById, type StoredTag } from '#src/storage/tags/tags.ts'

/** An item as a view makes it. */
interface ByView {
  item: NewItem
  /** What the view gave: `Task.status`, or `Task` of a tag without values. */
  filled: string[]
  plan: FilterPlan
}

/**
 * The item with what the view's filter asks for, where the request does not say otherwise.
 * @throws NotFound for a view that is neither the caller's nor shared, BadRequest for one whose filter cannot be used any more
 */
export async function fillFromView(context: SqlContext, item: NewItem, view_id: string): Promise<ByView> {
  const { db, caller } = context
  const view = await readableView(db, caller, view_id)
  const { filter, plan, faults } = await checkFilter(
    JSON.parse(view.filter),
    tagCatalog(context),
    'view.filter',
  )
  if (!filter) throw brokenView(view.name, faults)
  const defaults = await defaultsOf(filter, (ids) => liveTargets(db, ids))
  const tags = [...(item.tags ?? [])]
  const paths: string[] = []
  for (const each of defaults.tags) {
    const at = await indexOfTag(db, tags, each.tag_ref.Existing)
    const own = tags[at]
    const given = own?.field_values ?? {}
    const { name, schema } = (await findTagById(db, each.tag_ref.Existing))!
    const field_values = own ? filled(schema, each, given) : each.field_values
    if (own) tags[at] = { ...own, field_values }
    else tags.push(each)
    const fields = Object.keys(field_values).filter((field) => !Object.hasOwn(given, field))
    paths.push(...(own || fields.length ? fields.map((field) => `${name}.${field}`) : [name]))
  }
  return { item: { ...item, tags }, filled: paths, plan }
}

/** Whether the item that was made by it is in the view. */
export async function matchesView(
  { db, change }: SqlContext,
  { plan }: ByView,
  item_id: Ulid,
): Promise<boolean> {
  const { id } = await liveItem(db, item_id)
  return (await change.matching.among(db, [id], (some) => matchingAmong(db, plan, some))).size > 0
}

async function indexOfTag(db: Db, tags: readonly TagToApply[], tag_id: string): Promise<number> {
  for (const [i, { tag_ref }] of tags.entries())
    if ('Existing' in tag_ref && (await findTag(db, tag_ref.Existing))?.tag_id === tag_id) return i
  return -1
}

interface TagDefaults {
  tag_ref: { Existing: string }
  field_values: FieldValues
}

/** A sub-field of a variant that the request does not choose is left out. */
function filled(schema: StoredTag['schema'], { field_values }: TagDefaults, given: FieldValues): FieldValues {
  const all = { ...field_values, ...given }
  return Object.fromEntries(
    Object.entries(all).filter(
      ([name]) => Object.hasOwn(given, name) || isActive(schema, schema.get(name)!, all),
    ),
  )
}
