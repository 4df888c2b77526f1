import type { FieldValues } from '#src/domain/field-values.ts'
import { withIds } from '#src/domain/proposals/needs.ts'
import { applyUndo } from '#src/operations/changes/apply-undo.ts'
import { itemCreated, itemDeleted, tagApplied } from '#src/operations/items/item-events.ts'
import type { AcceptancePlan, ItemToMake, TagToMake } from '#src/operations/proposals/plan-acceptance.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { insertItemTags } from '#src/storage/items/item-tags.ts'
import { foldItem, insertItems, softDeleteItems } from '#src/storage/items/items.ts'
import { appendEvents, type AuditEvent } from '#src/storage/log/audit-log.ts'
import { nameTag, setTagDeleted, updateTagRow } from '#src/storage/tags/change-tags.ts'
import { insertTag } from '#src/storage/tags/insert-tag.ts'
import { findTagById, type StoredTag, tagRowIds } from '#src/storage/tags/tags.ts'
import { type AppliedValues, indexApplied } from '#src/storage/value-index/field-values.ts'

/** Items that are written at once. */
const CHUNK = 256

/** The ids of what a plan makes, by their placeholders: tags first, because items have them. */
export function newIds(
  { tags, items }: Pick<AcceptancePlan, 'tags' | 'items'>,
  newId: () => string,
): Map<string, string> {
  const placeholders = [...tags.map(({ tag_id }) => tag_id), ...items.map(({ item_id }) => item_id)]
  return new Map(placeholders.map((placeholder) => [placeholder, newId()]))
}

/** Carries a plan out; `ids` stand in place of its placeholders. */
export async function applyAcceptance(
  context: SqlContext,
  plan: Pick<AcceptancePlan, 'work' | 'items' | 'tags'>,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const { work, items, tags } = ids.size
    ? (JSON.parse(
        withIds(JSON.stringify({ work: plan.work, items: plan.items, tags: plan.tags }), ids),
      ) as typeof plan)
    : plan
  await makeTags(context, tags)
  await applyUndo(context, work)
  for (const { tag_id, name, live } of tags) {
    const tag = (await findTagById(context.db, tag_id))!
    if (tag.name !== name) await nameTag(context.db, tag, name)
    if (!live) await dropTag(context, tag)
  }
  for (let at = 0; at < items.length; at += CHUNK) await makeItems(context, items.slice(at, at + CHUNK))
}

/** Under a name that nobody can give, where another tag still has theirs: it gives it up in what follows. */
async function makeTags(context: SqlContext, tags: readonly TagToMake[]): Promise<void> {
  const { db } = context
  const now = context.now.toISOString()
  const made: StoredTag[] = []
  for (const { tag_id, name, description, fields, look } of tags) {
    const row = { tag_id, description, fields, look, bases: [], now }
    made.push(
      (await insertTag(db, { ...row, name })) ?? (await insertTag(db, { ...row, name: ` ${tag_id}` }))!,
    )
  }
  for (const [i, { extends: bases, schema_version }] of tags.entries()) {
    const tag = made[i]!
    if (!bases.length && schema_version === tag.schema_version) continue
    const { name, description, fields, look } = tag
    const state = { name, description, fields, look, schema_version, updated_at: now }
    await updateTagRow(db, tag, state, await tagRowIds(db, bases))
  }
  await appendEvents(
    db,
    context,
    tags.map(({ tag_id, name, description, fields, look, schema_version, extends: bases }) => ({
      event_type: 'tag_created',
      entity_type: 'tag',
      tag_id,
      details: { name, description, fields, schema_version, extends: bases, ...(look && { look }) },
    })),
  )
}

/** What was made and deleted by the same operations. */
async function dropTag(context: SqlContext, tag: StoredTag): Promise<void> {
  const { db, now } = context
  await setTagDeleted(db, tag, now.toISOString())
  const { tag_id, name } = tag
  await appendEvents(db, context, [
    { event_type: 'tag_deleted', entity_type: 'tag', tag_id, details: { name } },
  ])
}

async function makeItems(context: SqlContext, items: readonly ItemToMake[]): Promise<void> {
  const { db, now, change } = context
  const folded = items.map(({ item_id, name, description }) =>
    foldItem({ item_id, name, description }, change.growth),
  )
  const rows = await insertItems(db, folded, now)
  const applied: (AppliedValues & { text: string; schema_version: number; tag: StoredTag })[] = []
  const events: AuditEvent[] = []
  for (const [i, item] of items.entries()) {
    const own = await entriesOf(context, item)
    events.push(
      itemCreated(
        item,
        own.map(({ entry, text }) => ({ tag: entry, values: text })),
      ),
    )
    for (const { tag, entry, text, values } of own) {
      applied.push({ item: rows[i]!, tag, values, text, schema_version: entry.schema_version })
      events.push(tagApplied(item.item_id, entry, text))
    }
  }
  await insertItemTags(
    db,
    applied.map(({ item, tag, schema_version, text }) => [item, tag.id, schema_version, text]),
  )
  await indexApplied(db, applied, undefined, { fresh: true })
  await appendEvents(db, context, events)
  const gone = items.flatMap(({ live }, i) => (live ? [] : i))
  if (!gone.length) return
  await softDeleteItems(
    db,
    gone.map((i) => rows[i]!),
    now,
  )
  await appendEvents(
    db,
    context,
    gone.map((i) => itemDeleted(items[i]!)),
  )
}

async function entriesOf({ db }: SqlContext, { tags }: ItemToMake) {
  const entries: {
    tag: StoredTag
    entry: { tag_id: string; name: string; schema_version: number }
    values: FieldValues
    text: string
  }[] = []
  for (const { tag_id, schema_version, values } of tags) {
    const tag = (await findTagById(db, tag_id))!
    entries.push({
      tag,
      entry: { tag_id, name: tag.name, schema_version },
      values,
      text: JSON.stringify(values),
    })
  }
  return entries
}
