import type { Ulid } from '#src/domain/ulid.ts'
import { laterThan } from '#src/domain/precondition.ts'
import {
  renamesOfStep,
  type EntryWork,
  type ItemWork,
  type TagWork,
  type UndoWork,
  type ValuesWork,
} from '#src/domain/undo/undo-work.ts'
import {
  clearingEventsOf,
  leavingTags,
  movesTime,
  undoEventsOf,
} from '#src/operations/changes/undo-events-of.ts'
import { countReached } from '#src/operations/tags/reached-items.ts'
import { writeTagChange } from '#src/operations/tags/write-tag-change.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { appendEvents, type AuditEvent } from '#src/storage/log/audit-log.ts'
import { reviveItems } from '#src/operations/items/revive-items.ts'
import { isLarge } from '#src/operations/items/bulk-plan.ts'
import { outdateLeaving } from '#src/storage/large/leaving-items.ts'
import { applyTagEach, removeItemTags, replaceItemTags } from '#src/storage/items/item-tags.ts'
import { softDeleteItems, touchItems, updateItems } from '#src/storage/items/items.ts'
import { untagAllItems } from '#src/storage/items/tagged-items.ts'
import { lookText, nameTag, setTagDeleted } from '#src/storage/tags/change-tags.ts'
import type { Db } from '#src/sql/query.ts'
import { findDeletedTag, findTagById, tagRowIds, type StoredTag } from '#src/storage/tags/tags.ts'
import { indexApplied, reindexValuesOfMany } from '#src/storage/value-index/field-values.ts'
import { unindexTag, unindexTagEverywhere } from '#src/storage/value-index/unindex.ts'

/** Rows that are written at once, and characters of their texts. */
const CHUNK = 5000
const CHUNK_TEXT = 4_000_000

/** Brings the base from what undo found to what it is to be, and records it. */
export async function applyUndo(context: SqlContext, work: UndoWork): Promise<void> {
  const { db, now } = context
  const { items, tags } = work
  const going = items.filter((item) => item.was_live && !item.is_live)
  const many = isLarge(going.length)
  for (const chunk of chunks(going)) await softDeleteItems(db, chunk.map(rowId), now, many)
  await clearTheWay(context, work)
  await changeTags(context, tags)
  for (const chunk of chunks(items.filter(({ old }) => old))) await updateItems(db, chunk)
  await changeEntries(context, items)
  const leaving = leavingTags(work)
  const moved = items.filter((item) => movesTime(item, leaving))
  for (const chunk of chunks(moved)) await touchItems(db, chunk.map(rowId), now)
  const coming = items.filter((item) => !item.was_live && item.is_live)
  for (const chunk of chunks(coming, textLength)) await reviveItems(context, chunk)
  await record(context, work)
  for (const tag of tags) if (tag.was_live && !tag.is_live) await removeTag(context, tag)
  await nameTags(context, tags)
}

const rowId = ({ id }: { id: number }) => id

const textLength = ({ description }: ItemWork): number => description?.length ?? 0

function* chunks<T>(all: readonly T[], lengthOf: (each: T) => number = () => 0): Generator<T[]> {
  for (let at = 0; at < all.length;) {
    const from = at
    for (let text = 0; at < all.length && at - from < CHUNK && text < CHUNK_TEXT; at++)
      text += lengthOf(all[at]!)
    yield all.slice(from, at)
  }
}

const tagOf = async (db: Db, { tag_id }: TagWork): Promise<StoredTag> =>
  ((await findTagById(db, tag_id)) ?? (await findDeletedTag(db, tag_id)))!

/** Names that tags give up are free for others only when all have given them up; then `nameTags` gives the new ones. */
const changesNames = (tags: readonly TagWork[]): boolean =>
  tags.length > 1 &&
  tags.some(
    ({ steps, was_live, is_live }) =>
      was_live !== is_live || steps.some(({ fields_changed }) => fields_changed.includes('name')),
  )

async function nameTags({ db }: SqlContext, tags: readonly TagWork[]): Promise<void> {
  if (changesNames(tags)) for (const work of tags) await nameTag(db, await tagOf(db, work), work.name)
}

/** Before the entries: what comes back to items must be there, with its fields. */
async function changeTags(context: SqlContext, tags: readonly TagWork[]): Promise<void> {
  const { db, now } = context
  const parked = changesNames(tags)
  if (parked) for (const work of tags) await nameTag(db, await tagOf(db, work), parkedName(work))
  for (const work of tags) {
    if (!work.was_live && work.is_live) await setTagDeleted(db, await tagOf(db, work), null)
    for (const step of work.steps) {
      const tag = await tagOf(db, work)
      const { fields } = step
      const renames = renamesOfStep(step)
      const extendsOthers = step.fields_changed.includes('extends')
      await countReached(context, tag, { fields, renames, extendsOthers })
      await writeTagChange(
        context,
        tag,
        {
          name: parked ? tag.name : step.name,
          description: step.description,
          fields: JSON.stringify(fields),
          look: lookText(step.look),
          schema_version: step.schema_version,
          updated_at: laterThan(tag.updated_at, now),
        },
        extendsOthers ? await tagRowIds(db, step.extends) : null,
        renames,
      )
    }
  }
}

/** Nobody can give it. */
const parkedName = ({ tag_id }: TagWork) => ` ${tag_id}`

/** One entry of one item. */
interface Entry<Work> {
  item: ItemWork
  work: Work
}

const byTag = <Work extends { tag_id: Ulid }>(
  items: readonly ItemWork[],
  of: (item: ItemWork) => readonly Work[],
): Map<Ulid, Entry<Work>[]> =>
  Map.groupBy(
    items.flatMap((item) => of(item).map((work) => ({ item, work }))),
    ({ work }) => work.tag_id,
  )

/** The index of an item that is or comes from the trash is not ours: it is made again, or gone. */
const staysLive = ({ item }: Entry<unknown>) => item.was_live && item.is_live

const changesEntries = ({ removed, applied, changed, cleared }: ItemWork): boolean =>
  removed.length + applied.length + changed.length + cleared.length > 0

async function changeEntries(context: SqlContext, items: readonly ItemWork[]): Promise<void> {
  const { db } = context
  const unindexed = items.filter((item) => !(item.was_live && item.is_live) && changesEntries(item))
  for (const chunk of chunks(unindexed)) await outdateLeaving(db, chunk.map(rowId))
  for (const [tag_id, entries] of byTag(items, ({ removed }) => removed)) {
    const tag = (await findTagById(db, tag_id))!
    for (const chunk of chunks(entries)) {
      await unindexTag(
        db,
        tag,
        chunk.filter(staysLive).map(({ item }) => item.id),
      )
      await removeItemTags(
        db,
        tag.id,
        chunk.map(({ item }) => item.id),
      )
    }
  }
  for (const [tag_id, entries] of byTag(items, ({ applied }) => applied))
    await applyEntries(context, (await findTagById(db, tag_id))!, entries)
  await changeValues(
    db,
    byTag(items, ({ changed }) => changed),
  )
}

async function changeValues(db: Db, byTags: ReadonlyMap<Ulid, Entry<ValuesWork>[]>): Promise<void> {
  for (const [tag_id, entries] of byTags) {
    const tag = (await findTagById(db, tag_id))!
    for (const chunk of chunks(entries)) {
      await replaceItemTags(
        db,
        tag.id,
        chunk.map(({ item, work }) => ({
          item: item.id,
          schema_version: work.schema_version,
          old_schema_version: work.old_schema_version,
          field_values: JSON.stringify(work.values),
        })),
      )
      await reindexValuesOfMany(
        db,
        tag,
        chunk.filter(staysLive).map(({ item, work }) => ({
          item: item.id,
          before: work.old_values,
          after: work.new_values,
        })),
      )
    }
  }
}

/** Before the tags, and reported before them: a rename that is taken back must find the places of its values free. */
async function clearTheWay(context: SqlContext, work: UndoWork): Promise<void> {
  const { db } = context
  const entries = byTag(work.items, ({ cleared }) => cleared)
  if (!entries.size) return
  await changeValues(db, entries)
  const names = new Map<Ulid, string>()
  for (const tag_id of entries.keys()) names.set(tag_id, (await findTagById(db, tag_id))!.name)
  await appendAll(context, clearingEventsOf(work, names))
}

async function applyEntries(
  { db }: SqlContext,
  tag: StoredTag,
  entries: readonly Entry<EntryWork>[],
): Promise<void> {
  for (const chunk of chunks(entries)) {
    await applyTagEach(
      db,
      tag.id,
      chunk.map(({ item, work }) => ({
        item: item.id,
        schema_version: work.schema_version,
        field_values: JSON.stringify(work.values),
      })),
    )
    await indexApplied(
      db,
      chunk.filter(staysLive).map(({ item, work }) => ({ item: item.id, tag, values: work.values })),
    )
  }
}

async function record(context: SqlContext, work: UndoWork): Promise<void> {
  const { db } = context
  const names = new Map<Ulid, string>()
  for (const tag_id of tagsIn(work)) names.set(tag_id, (await findTagById(db, tag_id))!.name)
  for (const { tag_id, name } of work.tags) names.set(tag_id, name)
  await appendAll(context, undoEventsOf(work, names, context.now.toISOString()))
}

async function appendAll(context: SqlContext, events: Iterable<AuditEvent>): Promise<void> {
  const { db } = context
  let batch: AuditEvent[] = []
  for (const event of events) {
    batch.push(event)
    if (batch.length < CHUNK) continue
    await appendEvents(db, context, batch)
    batch = []
  }
  await appendEvents(db, context, batch)
}

function tagsIn({ items }: UndoWork): Set<Ulid> {
  const tags = new Set<Ulid>()
  for (const { removed, applied, changed } of items)
    for (const list of [removed, applied, changed]) for (const { tag_id } of list) tags.add(tag_id)
  return tags
}

async function removeTag({ db, now }: SqlContext, { tag_id }: TagWork): Promise<void> {
  const tag = (await findTagById(db, tag_id))!
  await unindexTagEverywhere(db, tag)
  await untagAllItems(db, tag.id)
  await setTagDeleted(db, tag, now.toISOString())
}
