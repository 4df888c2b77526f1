import { renamesInEvent } from '#src/operations/tags/store-tag-change.ts'
import type { AuditEvent } from '#src/storage/log/audit-log.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import type { EventState } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import {
  renamesOfStep,
  type ItemWork,
  type TagStep,
  type TagWork,
  type UndoWork,
} from '#src/domain/undo/undo-work.ts'
import {
  itemDeleted,
  itemRestored,
  tagApplied,
  tagRemoved,
  tagValuesUpdated,
} from '#src/operations/items/item-events.ts'

/** Names of the tags, by id. */
type Names = ReadonlyMap<Ulid, string>

/**
 * The events of an undo, in an order in which they could have happened one after the other: taken back newest first
 * they are undone themselves. Given piece by piece, for there may be very many.
 */
export function* undoEventsOf({ items, tags }: UndoWork, names: Names, now: string): Generator<AuditEvent> {
  const leaving = leavingTags({ tags })
  for (const tag of tags) {
    if (!tag.was_live && tag.is_live) yield ofTag('tag_restored', tag)
    for (const step of tag.steps) yield tagUpdated(tag, step, now)
  }
  for (const item of items) if (!item.was_live && item.is_live) yield itemRestored(item)
  for (const item of items) {
    if (item.old) yield itemUpdated(item)
    yield* entryEvents(item, names, leaving)
  }
  for (const item of items) if (item.was_live && !item.is_live) yield itemDeleted(item)
  for (const tag of tags)
    if (leaving.has(tag.tag_id)) {
      yield ofTag('tag_deleted', tag)
      yield* takenAlong(items, tag, names)
    }
}

export const leavingTags = ({ tags }: Pick<UndoWork, 'tags'>): ReadonlySet<Ulid> =>
  new Set(tags.flatMap((tag) => (tag.was_live && !tag.is_live ? tag.tag_id : [])))

/** Whether its `updated_at` moves: not by what it loses when a tag is deleted, where it is deleted itself. */
export const movesTime = (item: ItemWork, leaving: ReadonlySet<Ulid>): boolean =>
  clearingMoves(item, leaving) || endMoves(item, leaving)

/** Once is enough: what is set back in the end moves it too. */
const clearingMoves = (item: ItemWork, leaving: ReadonlySet<Ulid>): boolean =>
  item.was_live && item.cleared.length > 0 && !endMoves(item, leaving)

const endMoves = (item: ItemWork, leaving: ReadonlySet<Ulid>): boolean =>
  (item.was_live || item.is_live) &&
  Boolean(
    item.old ||
    item.applied.length ||
    item.changed.length ||
    item.removed.some(({ tag_id }) => item.is_live || !leaving.has(tag_id)),
  )

const ofTag = (event_type: 'tag_restored' | 'tag_deleted', { tag_id, name }: TagWork): AuditEvent => ({
  event_type,
  entity_type: 'tag',
  tag_id,
  details: { name },
})

function tagUpdated({ tag_id, was_live, is_live }: TagWork, step: TagStep, now: string): AuditEvent {
  const { name, description, fields, look, extends: bases, fields_changed, old } = step
  const next = { name, description, fields, look, extends: bases }
  const pick = (values: TagStep['old']) =>
    Object.fromEntries(fields_changed.map((property) => [property, values[property]]))
  const { old_schema_version, schema_version } = step
  return {
    event_type: 'tag_updated',
    entity_type: 'tag',
    tag_id,
    name,
    state: {
      ...(step.renames && { old_schema_version, schema_version, updated_at: now }),
      // It is right on a deleted tag.
      ...(!was_live && !is_live && { updated_at: null }),
    },
    details: {
      fields_changed,
      old_values: pick(old),
      new_values: pick(next),
      ...renamesInEvent(renamesOfStep(step)),
    },
  }
}

/** These precede all others, so an item that comes back is deleted still. */
export function* clearingEventsOf({ items, tags }: UndoWork, names: Names): Generator<AuditEvent> {
  const leaving = leavingTags({ tags })
  for (const item of items)
    for (const { tag_id, schema_version, old_schema_version, ...changes } of item.cleared) {
      const tag = { tag_id, name: names.get(tag_id)!, schema_version }
      const event = tagValuesUpdated(item.item_id, tag, changes, old_schema_version)
      yield clearingMoves(item, leaving) ? event : { ...event, state: { ...event.state, updated_at: null } }
    }
}

/** What happens to an item that was and stays deleted does not move its time. */
const quiet = ({ was_live, is_live }: ItemWork): EventState =>
  was_live || is_live ? {} : { updated_at: null }

function itemUpdated(item: ItemWork): AuditEvent {
  const { item_id, name, description, old } = item
  const fields_changed = (['name', 'description'] as const).filter(
    (field) => old![field] !== { name, description }[field],
  )
  const pick = (values: { name: string; description: string | null }) =>
    Object.fromEntries(fields_changed.map((field) => [field, values[field]]))
  return {
    event_type: 'item_updated',
    entity_type: 'item',
    item_id,
    name: old!.name,
    state: quiet(item),
    details: { fields_changed, old_values: pick(old!), new_values: pick({ name, description }) },
  }
}

function* entryEvents(item: ItemWork, names: Names, leaving: ReadonlySet<Ulid>): Generator<AuditEvent> {
  const { item_id } = item
  const tagOf = (tag_id: Ulid, schema_version: number) => ({
    tag_id,
    name: names.get(tag_id)!,
    schema_version,
  })
  for (const { tag_id, schema_version, values } of item.removed)
    if (!leaving.has(tag_id) || item.is_live)
      yield tagRemoved(item_id, tagOf(tag_id, schema_version), text(values), {
        old_schema_version: schema_version,
        ...quiet(item),
      })
  for (const { tag_id, schema_version, values } of item.applied) {
    const event = tagApplied(item_id, tagOf(tag_id, schema_version), text(values))
    yield { ...event, state: { ...event.state, ...quiet(item) } }
  }
  for (const { tag_id, schema_version, old_schema_version, ...changes } of item.changed) {
    const event = tagValuesUpdated(item_id, tagOf(tag_id, schema_version), changes, old_schema_version)
    yield { ...event, state: { ...event.state, ...quiet(item) } }
  }
}

/** A tag that is deleted leaves the deleted items too. */
function* takenAlong(items: readonly ItemWork[], { tag_id }: TagWork, names: Names): Generator<AuditEvent> {
  for (const { item_id, is_live, removed } of items) {
    const entry = is_live ? undefined : removed.find((each) => each.tag_id === tag_id)
    if (entry)
      yield tagRemoved(item_id, { tag_id, name: names.get(tag_id)! }, text(entry.values), {
        old_schema_version: entry.schema_version,
        updated_at: null,
      })
  }
}

const text = (values: FieldValues) => JSON.stringify(values)
