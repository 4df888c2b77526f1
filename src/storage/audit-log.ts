import type { Caller } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import type { Db } from '#src/sql/query.ts'

/** Specification, Events; the last four are additions (decisions §4). */
export const EVENT_TYPES = [
  'item_created',
  'item_updated',
  'item_deleted',
  'tag_created',
  'tag_updated',
  'tag_deleted',
  'tag_applied',
  'tag_removed',
  'tag_values_updated',
  'item_restored',
  'tag_restored',
  'item_purged',
  'tag_purged',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export interface AuditEvent {
  event_type: EventType
  entity_type: 'item' | 'tag'
  item_id?: Ulid
  tag_id?: Ulid
  /** By event type: decisions §8. */
  details: Record<string, unknown>
}

/** The rest of an event comes from the call: SqlContext has all of it. */
export interface EventContext {
  caller: Caller
  now: Date
  newId: () => Ulid
}

const insertEvents = rowInserter('audit_event', [
  'event_id',
  'event_type',
  'entity_type',
  'item_id',
  'tag_id',
  'user_id',
  'source',
  'details',
  'created_at',
])

/** Records events in the order given, in the transaction of their change. */
export async function appendEvents(
  db: Db,
  { caller, now, newId }: EventContext,
  events: readonly AuditEvent[],
): Promise<void> {
  const created_at = now.toISOString()
  await insertEvents(
    db,
    events.map(({ event_type, entity_type, item_id, tag_id, details }) => [
      newId(),
      event_type,
      entity_type,
      item_id ?? null,
      tag_id ?? null,
      caller.user_id,
      caller.source,
      JSON.stringify(details),
      created_at,
    ]),
  )
}
