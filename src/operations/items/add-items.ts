import { MAX_PROBLEMS, ServiceError, type Problem } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { faultsOfNamedFiles } from '#src/operations/files/named-files.ts'
import { acceptValues } from '#src/operations/items/accept-values.ts'
import { itemCreated, tagApplied, type CreatedItem } from '#src/operations/items/item-events.ts'
import { resolveTagRef } from '#src/operations/items/resolve-tag-ref.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { NewItem, TagToApply } from '#src/operations/schemas/inputs.ts'
import { appendEvents, type AuditEvent } from '#src/storage/log/audit-log.ts'
import { indexApplied, type AppliedValues } from '#src/storage/value-index/field-values.ts'
import { insertItemTags } from '#src/storage/items/item-tags.ts'
import { foldItem, insertItems } from '#src/storage/items/items.ts'
import type { ReferenceTargets } from '#src/storage/value-index/reference-targets.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

/** A tag for one of the items. */
interface TagOfItem {
  /** Position of the item. */
  index: number
  tag: StoredTag
  given: Record<string, unknown>
  path: string
}

/**
 * Creates items with their tags, and the tags that are new; all events included. The ids, in the order given.
 * `pathOf` says where an item is in the input, e.g. `items[3].`. `merge`: values may be edits, as of items without any.
 * @throws BadRequest with every fault, NotFound for an unknown tag, Conflict for a tag that is given twice
 */
export async function addItems(
  context: SqlContext,
  items: readonly NewItem[],
  pathOf: (index: number) => string,
  { merge = false } = {},
): Promise<Ulid[]> {
  const { db, now, newId, change } = context
  const problems: Problem[] = []
  const tags: TagOfItem[] = []
  for (const [index, item] of items.entries()) {
    if (problems.length > MAX_PROBLEMS) break
    if (item.tags?.length) tags.push(...(await tagsOf(context, item.tags, index, pathOf(index), problems)))
  }

  const textsGiven = () =>
    items.map(({ name, description }, index) => ({ path: pathOf(index), texts: { name, description } }))
  problems.push(...(await faultsOfNamedFiles(context, textsGiven)).flat())
  const { values, targets } = await acceptValues(
    context,
    tags.map(({ tag, given, path }) => ({ tag, given, path, merge })),
    problems,
  )
  // All of them before the first is written: what grows too much is to be refused without work for nothing.
  const created = items.map(({ name, description = null }) =>
    foldItem({ item_id: newId(), name, description }, change.growth),
  )
  let next = 0
  for (let at = 0; at < created.length; at += CHUNK) {
    const chunk = created.slice(at, at + CHUNK)
    const rows = await insertItems(db, chunk, now)
    const applied: Applied[] = []
    for (; next < tags.length && tags[next]!.index < at + CHUNK; next++) {
      const { index, tag } = tags[next]!
      applied.push({ item: rows[index - at]!, index: index - at, tag, values: values[next]! })
    }
    await storeTags(context, chunk, applied, targets)
  }
  return created.map(({ item_id }) => item_id)
}

/** Items written at once: few statements, and what they are made of is short-lived. */
const CHUNK = 256

interface Applied extends AppliedValues {
  /** Position of the item in its chunk. */
  index: number
  tag: StoredTag
}

/** The tags of a chunk of new items, and the events of both. */
async function storeTags(
  context: SqlContext,
  items: readonly CreatedItem[],
  applied: readonly Applied[],
  targets: ReferenceTargets,
): Promise<void> {
  const { db } = context
  const texts = applied.map(({ values }) => JSON.stringify(values))
  await insertItemTags(
    db,
    applied.map(({ item, tag }, i) => [item, tag.id, tag.schema_version, texts[i]!]),
  )
  await indexApplied(db, applied, targets, { fresh: true })
  const events: AuditEvent[] = []
  let next = 0
  for (const [index, item] of items.entries()) {
    const own: { tag: StoredTag; values: string }[] = []
    for (; applied[next]?.index === index; next++) own.push({ tag: applied[next]!.tag, values: texts[next]! })
    events.push(itemCreated(item, own))
    for (const { tag, values } of own) events.push(tagApplied(item.item_id, tag, values))
  }
  await appendEvents(db, context, events)
}

async function tagsOf(
  context: SqlContext,
  given: readonly TagToApply[],
  index: number,
  path: string,
  problems: Problem[],
): Promise<TagOfItem[]> {
  const tags: TagOfItem[] = []
  for (const [i, { tag_ref, field_values = {} }] of given.entries()) {
    const at = `${path}tags[${i}]`
    const tag = await resolveTagRef(context, tag_ref, `${at}.tag_ref`, problems)
    if (!tag) continue
    if (tags.some((each) => each.tag.id === tag.id)) throw givenTwice(tag, at)
    tags.push({ index, tag, given: field_values, path: `${at}.field_values` })
  }
  return tags
}

function givenTwice({ name }: StoredTag, path: string): ServiceError {
  const message = `Tag '${name}' is given twice for one item`
  return new ServiceError('Conflict', message, {
    suggestion: 'Give each tag once, with all its values',
    details: { errors: [{ path, message }] },
  })
}
