import { conflict } from '#src/domain/errors.ts'
import type { EventDetails, PastEvent } from '#src/domain/past-event.ts'
import { pastRename } from '#src/domain/past-rename.ts'
import { type FlatFields, flattenFields } from '#src/domain/field-schema.ts'
import {
  actionOf,
  type ProposedEvent,
  type ProposedPart,
  type MadeItem,
  type MadeTag,
} from '#src/domain/proposals/proposed-part.ts'
import { newlyReferred } from '#src/domain/proposals/referred-items.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { undoEvents } from '#src/domain/undo/undo-events.ts'
import { type UndoWork, undoWork } from '#src/domain/undo/undo-work.ts'
import { copyWorld, type UndoItem, type UndoTag, type UndoWorld } from '#src/domain/undo/undo-world.ts'
import { clearingEventsOf, undoEventsOf } from '#src/operations/changes/undo-events-of.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { readUndoWorld } from '#src/storage/changes/undo-world.ts'
import { wholeOf } from '#src/storage/sight/sight.ts'
import type { AuditEvent } from '#src/storage/log/audit-log.ts'
import type { Db } from '#src/sql/query.ts'
import { liveTargets } from '#src/storage/value-index/reference-targets.ts'

/** The place of an event among those of a proposal; `after`: the newest event of the log, which all of them follow. */
const eventId = (after: string, place: number): string => `${after}.${String(place).padStart(6, '0')}`

/**
 * What a change that was tried out comes to, item by item and tag by tag: it is taken back, in memory, and the events of
 * that are kept; of what it made, what it made.
 */
export async function keepParts(
  { db: seen, now }: Pick<SqlContext, 'db' | 'now'>,
  taken: readonly AuditEvent[],
  after: string,
): Promise<ProposedPart[]> {
  const db = wholeOf(seen)
  const events = taken.map((event, i) => toPast(event, eventId(after, i)))
  const done = await readUndoWorld(db, events, () => {})
  addRenames(done, events)
  const world = copyWorld(done)
  const { conflicts } = undoEvents(events, world, new Set(), new Map())
  if (conflicts[0])
    throw conflict(`These operations cannot be proposed together: ${conflicts[0].reason}`, {
      suggestion: 'Propose them in several proposals',
    })
  const made = new Set(
    events.flatMap(({ event_type, item_id, tag_id }) =>
      event_type === 'item_created' ? item_id! : event_type === 'tag_created' ? tag_id! : [],
    ),
  )
  const work = withoutMade(undoWork(done, world), made)
  const parts = [
    ...[...done.tags.values()].flatMap((tag) => (made.has(tag.tag_id) ? madeTagPart(tag) : [])),
    ...changedParts(work, world, after, now),
    ...inOrder(events, made).map((item_id) => madeItemPart(done.items.get(item_id)!, done)),
  ]
  const merged = new Map<Ulid, Ulid>()
  for (const { item_id, merged_into } of taken) if (merged_into) merged.set(item_id!, merged_into)
  return withReferred(db, done, parts, merged)
}

/** With the items that must still be there when they are accepted: those that live now and are referred to, or stay of a merge. */
async function withReferred(
  db: Db,
  { tags }: UndoWorld,
  parts: readonly ProposedPart[],
  merged: ReadonlyMap<Ulid, Ulid>,
): Promise<ProposedPart[]> {
  const schemas = new Map<Ulid, FlatFields>()
  const fieldsOf = (tag_id: Ulid) => {
    const tag = tags.get(tag_id)
    if (tag && !schemas.has(tag_id)) schemas.set(tag_id, flattenFields(tag.fields))
    return schemas.get(tag_id)
  }
  const referred = parts.map((part) => [...newlyReferred(part, fieldsOf)])
  const living = await liveTargets(db, referred.flat())
  return parts.map((part, i) => {
    const refers = referred[i]!.filter((item_id) => living.has(item_id))
    const into = part.item_id === null ? undefined : lastOf(merged, part.item_id)
    const goes = into !== undefined && actionOf(part) === 'deleted'
    return { ...part, ...(refers.length && { refers }), ...(goes && { merged_into: into }) }
  })
}

/** Where an item goes in the end that is merged into one which is merged in turn. */
function lastOf(merged: ReadonlyMap<Ulid, Ulid>, item_id: Ulid): Ulid | undefined {
  const met = new Set([item_id])
  let last: Ulid | undefined
  for (let next = merged.get(item_id); next !== undefined && !met.has(next); next = merged.get(next)) {
    met.add(next)
    last = next
  }
  return last
}

const toPast = (
  { event_type, item_id, tag_id, details, state }: AuditEvent,
  event_id: string,
): PastEvent => ({
  event_id,
  change_id: '',
  event_type,
  item_id: item_id ?? null,
  tag_id: tag_id ?? null,
  created_at: '',
  details: (typeof details === 'string' ? JSON.parse(details) : details) as EventDetails,
  redacted: false,
  state: state ?? null,
})

/** Those that the log does not have. */
export function addRenames(world: UndoWorld, events: readonly PastEvent[]): void {
  for (const event of events) {
    const rename = pastRename(event)
    if (rename) world.renames.set(rename.tag_id, [...(world.renames.get(rename.tag_id) ?? []), rename])
  }
}

const inOrder = (events: readonly PastEvent[], made: ReadonlySet<Ulid>): Ulid[] =>
  events.flatMap(({ event_type, item_id }) =>
    event_type === 'item_created' && made.has(item_id!) ? item_id! : [],
  )

const withoutMade = ({ items, tags }: UndoWork, made: ReadonlySet<Ulid>): UndoWork => ({
  items: items.filter(({ item_id }) => !made.has(item_id)).toSorted((a, b) => a.id - b.id),
  tags: tags.filter(({ tag_id }) => !made.has(tag_id)),
})

/** Tags first: they are few, and items follow from them. */
function changedParts(work: UndoWork, world: UndoWorld, after: string, now: Date): ProposedPart[] {
  const names = new Map([...world.tags.values()].map(({ tag_id, name }) => [tag_id, name]))
  const parts = new Map<Ulid, ProposedPart>()
  for (const { tag_id } of work.tags)
    parts.set(tag_id, { item_id: null, tag_id, name: names.get(tag_id)!, events: [] })
  for (const { item_id, name } of work.items) parts.set(item_id, { item_id, tag_id: null, name, events: [] })
  let place = 0
  for (const list of [clearingEventsOf(work, names), undoEventsOf(work, names, now.toISOString())])
    for (const event of list) {
      const { event_id, event_type, tag_id, item_id, details, state } = toPast(event, eventId(after, place++))
      const kept: ProposedEvent = { event_id, event_type, tag_id, details, state }
      parts.get((item_id ?? tag_id)!)!.events.push(kept)
    }
  return [...parts.values()]
}

function madeTagPart(tag: UndoTag): ProposedPart {
  const { tag_id, name, description, fields, look, schema_version, presence } = tag
  const made_tag: MadeTag = {
    name,
    description,
    fields,
    look,
    schema_version,
    extends: tag.extends,
    live: presence === 'live',
  }
  return { item_id: null, tag_id, name, made_tag, events: [] }
}

function madeItemPart(
  { item_id, name, description, presence, tags }: UndoItem,
  world: UndoWorld,
): ProposedPart {
  const made_item: MadeItem = {
    name,
    description,
    live: presence === 'live',
    tags: [...tags].map(([tag_id, { schema_version, values }]) => {
      const tag = world.tags.get(tag_id)!
      return {
        tag_id,
        tag_name: tag.name,
        schema_version,
        current: schema_version === tag.schema_version,
        values: Object.fromEntries(values),
      }
    }),
  }
  return { item_id, tag_id: null, name, made_item, events: [] }
}
