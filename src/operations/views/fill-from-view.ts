import { badRequest, MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { type FieldValues, isActive } from '#src/domain/field-values.ts'
import { defaultsOf } from '#src/filter/meaning/defaults-of.ts'
import { checkFilter } from '#src/filter/meaning/read-filter.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { NewItem, TagToApply } from '#src/operations/schemas/inputs.ts'
import { readableView } from '#src/operations/views/own-view.ts'
import type { Db } from '#src/sql/query.ts'
import { liveTargets } from '#src/storage/value-index/reference-targets.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { findTag, findTagById } from '#src/storage/tags/tags.ts'

/**
 * The item with what the view's filter asks for, where the request does not say otherwise.
 * @throws NotFound for a view that is neither the caller's nor shared, BadRequest for one whose filter cannot be used any more
 */
export async function fillFromView(context: SqlContext, item: NewItem, view_id: string): Promise<NewItem> {
  const { db, caller } = context
  const view = await readableView(db, caller, view_id)
  const { filter, faults } = await checkFilter(JSON.parse(view.filter), tagCatalog(context), 'view.filter')
  if (!filter) throw brokenView(view.name, faults)
  const defaults = await defaultsOf(filter, (ids) => liveTargets(db, ids))
  const tags = [...(item.tags ?? [])]
  for (const each of defaults.tags) {
    const at = await indexOfTag(db, tags, each.tag_ref.Existing)
    const own = tags[at]
    if (own) tags[at] = { ...own, field_values: await filled(db, each, own.field_values ?? {}) }
    else tags.push(each)
  }
  return { ...item, tags }
}

/** A filter that was right when the view was saved can name a tag that has been deleted since. */
const brokenView = (name: string, faults: readonly Problem[]) =>
  badRequest(`The filter of the view '${name}' cannot be used any more: ${faults[0]?.message}`, {
    suggestion: 'Leave out view_id, or give the view another filter',
    details: { errors: faults.slice(0, MAX_PROBLEMS) },
  })

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
async function filled(
  db: Db,
  { tag_ref, field_values }: TagDefaults,
  given: FieldValues,
): Promise<FieldValues> {
  const { schema } = (await findTagById(db, tag_ref.Existing))!
  const all = { ...field_values, ...given }
  return Object.fromEntries(
    Object.entries(all).filter(
      ([name]) => Object.hasOwn(given, name) || isActive(schema, schema.get(name)!, all),
    ),
  )
}
