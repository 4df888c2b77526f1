import { invalid, MAX_PROBLEMS, type Problem, ServiceError } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { equalityKey } from '#src/filter/meaning/equality-key.ts'
import { addItems } from '#src/operations/items/add-items.ts'
import { applyTagTo } from '#src/operations/items/apply-tag.ts'
import { findByKey, type MatchKey, positionOfTag, readKeyValue } from '#src/operations/items/match-key.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { updateTagValues } from '#src/operations/items/update-tag-values.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { NewItem, TagToApply } from '#src/operations/schemas/inputs.ts'
import { findItemTag } from '#src/storage/items/item-tags.ts'
import { liveItem } from '#src/storage/items/items.ts'
import { findTag } from '#src/storage/tags/tags.ts'

export interface Upsert extends Partial<NewItem> {
  /** The value to match by, as it is stored. */
  key: unknown
  /** Where it is in the input, e.g. `items[3].`. */
  path: string
}

export interface Upserted {
  item_id: Ulid
  created: boolean
}

/**
 * The item that has the key is changed, values merged; where there is none it is created. A key twice is one item.
 * @throws BadRequest with every fault, Conflict where several items have a key
 */
export async function upsert(
  context: SqlContext,
  key: MatchKey,
  given: readonly Upsert[],
): Promise<Upserted[]> {
  const ids = new Map<string, Ulid>()
  const fresh: Upsert[] = []
  const type = key.by === 'name' ? 'name' : key.field.type
  const keyOf = (each: Upsert) => equalityKey(type, each.key)
  for (const each of given) {
    if (ids.has(keyOf(each))) continue
    const found = await findByKey(context, key, each.key)
    ids.set(keyOf(each), found?.item_id ?? '')
    if (!found) fresh.push(each)
  }
  const items = await newItems(context, key, fresh)
  const created = await addItems(context, items, (index) => fresh[index]!.path, { merge: true })
  for (const [i, item_id] of created.entries()) ids.set(keyOf(fresh[i]!), item_id)

  const made = new Set(fresh)
  const upserted: Upserted[] = []
  for (const each of given) {
    const item_id = ids.get(keyOf(each))!
    if (!made.has(each)) await change(context, item_id, each)
    upserted.push({ item_id, created: made.has(each) })
  }
  return upserted
}

const DIFFERS = 'differs from the value to match by, which no item has: a new one is to be found by it'

/** @throws BadRequest for those without a name, or with another than the one to match by */
async function newItems({ db }: SqlContext, key: MatchKey, fresh: readonly Upsert[]): Promise<NewItem[]> {
  const problems: Problem[] = []
  const items: NewItem[] = []
  for (const { name, description, tags = [], key: value, path } of fresh) {
    const called = name ?? (key.by === 'name' ? (value as string) : undefined)
    if (called === undefined)
      problems.push({ path: `${path}name`, message: 'is required: no item matches, so one is created' })
    else if (key.by === 'name' && equalityKey('name', called) !== equalityKey('name', value))
      problems.push({ path: `${path}name`, message: DIFFERS })
    else
      items.push({
        name: called,
        ...(description !== undefined && { description }),
        tags: key.by === 'name' ? tags : await withKey(db, key, { tags, key: value, path }, problems),
      })
    if (problems.length > MAX_PROBLEMS) break
  }
  if (problems.length) throw invalid(problems)
  return items
}

/** The new item is found by its key the next time: it is given no other value there. */
async function withKey(
  db: SqlContext['db'],
  key: Extract<MatchKey, { by: 'field' }>,
  { tags, key: value, path }: { tags: readonly TagToApply[]; key: unknown; path: string },
  problems: Problem[],
): Promise<TagToApply[]> {
  const { name, type } = key.field
  const at = await positionOfTag(db, tags, key.tag)
  if (at < 0) return [...tags, { tag_ref: { Existing: key.tag.tag_id }, field_values: { [name]: value } }]
  const given = tags[at]!.field_values ?? {}
  if (Object.hasOwn(given, name)) {
    const place = `${path}tags[${at}].field_values.${name}`
    const own = readKeyValue(key, given[name], place)
    if (given[name] !== null && own.problems.length) problems.push(...own.problems)
    else if (equalityKey(type, own.value) !== equalityKey(type, value))
      problems.push({ path: place, message: DIFFERS })
  }
  return tags.map((each, i) => (i === at ? { ...each, field_values: { [name]: value, ...given } } : each))
}

async function change(
  context: SqlContext,
  item_id: Ulid,
  { name, description, tags = [], path }: Upsert,
): Promise<void> {
  context.change.beginPart()
  if (name !== undefined || description !== undefined)
    await under(
      path,
      '',
      updateItem.run(context, {
        item_id,
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
      }),
    )
  const { id } = await liveItem(context.db, item_id)
  for (const [i, entry] of tags.entries()) {
    const at = `${path}tags[${i}]`
    context.change.beginPart()
    const tag = 'Existing' in entry.tag_ref ? await findTag(context.db, entry.tag_ref.Existing) : undefined
    const applied = tag && (await findItemTag(context.db, id, tag.id))
    if (!tag || !applied) await under(`${at}.`, 'tag.', applyTagTo(context, item_id, entry, { merge: true }))
    else if (entry.field_values) {
      const { field_values } = entry
      const given = { item_id, tag_id: tag.tag_id, field_values, merge: true }
      await under(`${at}.`, '', updateTagValues.run(context, given))
    }
  }
}

/** Faults of a part of the call, at their place in the whole of it. */
async function under(path: string, prefix: string, part: Promise<unknown>): Promise<void> {
  try {
    await part
  } catch (error) {
    const errors = error instanceof ServiceError ? error.details?.errors : undefined
    if (!errors || (error as ServiceError).code !== 'BadRequest') throw error
    throw invalid(
      errors.map((each) => ({
        ...each,
        path: `${path}${each.path.startsWith(prefix) ? each.path.slice(prefix.length) : each.path}`,
      })),
    )
  }
}
