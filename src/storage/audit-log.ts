import { tooManyChanges } from '#src/domain/allowance.ts'
import type { Caller } from '#src/domain/caller.ts'
import type { EventFacts } from '#src/domain/change-facts.ts'
import type { EventState } from '#src/domain/past-event.ts'
import { TIME_DIGITS, type Ulid, ulidTime } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import type { Db } from '#src/sql/query.ts'
import { continueChain, detailsHash, eventHash, newSalt } from '#src/storage/audit-chain.ts'
import type { OpenChange } from '#src/storage/changes/open-change.ts'

/** Specification, Events; those from item_restored on are additions (decisions §4, additions §6). */
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
  'audit_redacted',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export interface AuditEvent {
  event_type: EventType
  entity_type: 'item' | 'tag'
  item_id?: Ulid
  tag_id?: Ulid
  /** By event type: decisions §8. JSON text where stored JSON is pasted into it. */
  details: Record<string, unknown> | string
  /** For the summary of the change, where `details` is text. */
  name?: string
  tag_name?: string
  state?: EventState
}

/** The rest of an event comes from the call: SqlContext has all of it. */
export interface EventContext {
  caller: Caller
  now: Date
  newId: () => Ulid
  change: OpenChange
  changed?: Set<Ulid>
}

const COLUMNS = [
  'event_id',
  'event_type',
  'entity_type',
  'item_id',
  'tag_id',
  'user_id',
  'source',
  'details',
  'created_at',
  'change_id',
  'client',
  'state',
  'details_salt',
  'details_hash',
  'hash',
] as const

const insertEvents = rowInserter('audit_event', COLUMNS)

/** Records events in the order given, in the transaction of their change. */
export async function appendEvents(
  db: Db,
  { caller, newId, now, change, changed }: EventContext,
  events: readonly AuditEvent[],
): Promise<void> {
  if (!events.length) return
  if (changed) for (const { item_id } of events) if (item_id) changed.add(item_id)
  // As soon as it is known: there may be many thousands more.
  if (caller.may_change && changed && changed.size > caller.may_change.left)
    throw tooManyChanges(caller.may_change)
  const timeOf = timestamps()
  const [change_id, updated_at] = [change.id, now.toISOString()]
  const client = caller.client ? JSON.stringify(caller.client) : null
  const rowOf = (event: AuditEvent, previous: string) => {
    const { event_type, entity_type, item_id = null, tag_id = null, details } = event
    const event_id = newId()
    const created_at = timeOf(event_id)
    change.note(factsOf(event), event_id)
    const { user_id, source } = caller
    const told = { event_id, event_type, entity_type, item_id, tag_id, user_id, source }
    const value: unknown = typeof details === 'string' ? JSON.parse(details) : details
    const salt = newSalt()
    const details_hash = detailsHash(value, salt)
    const hash = eventHash(previous, { ...told, client, change_id, created_at, details_hash })
    const state = stateText(event, created_at, updated_at, change.part)
    const rest = [JSON.stringify(value), created_at, change_id, client, state, salt, details_hash, hash]
    return { hash, row: [...Object.values(told), ...rest] }
  }
  const rows: (string | null)[][] = []
  await continueChain(db, (head) => {
    let previous = head
    for (const event of events) {
      const { hash, row } = rowOf(event, previous)
      rows.push(row)
      previous = hash
    }
    return previous
  })
  await insertEvents(db, rows)
}

/** What the summary of the change is made of. */
function factsOf({ event_type, item_id, details, ...given }: AuditEvent): EventFacts {
  const told = (typeof details === 'string' ? {} : details) as {
    name?: string
    tag_name?: string
    fields_changed?: readonly string[]
  }
  return {
    event_type,
    name: given.name ?? told.name,
    tag_name: given.tag_name ?? told.tag_name,
    fields: told.fields_changed,
    ...(item_id !== undefined && { item_id }),
  }
}

/** The events that move the `updated_at` of their item. */
const MOVES: ReadonlySet<EventType> = new Set([
  'item_created',
  'item_updated',
  'tag_applied',
  'tag_removed',
  'tag_values_updated',
])

function stateText(
  { event_type, state }: AuditEvent,
  created_at: string,
  now: string,
  part: number | undefined,
): string | null {
  const moves = state?.updated_at === undefined && MOVES.has(event_type)
  const told: EventState = {
    ...state,
    ...(moves && now !== created_at && { updated_at: now }),
    ...(part !== undefined && { part }),
  }
  return Object.keys(told).length ? JSON.stringify(told) : null
}

/** An event's time is its id's: it never goes backwards, so the order of ids is the order of times. */
function timestamps(): (id: Ulid) => string {
  let last = ''
  let text = ''
  return (id) => {
    const time = id.slice(0, TIME_DIGITS)
    if (time !== last) text = new Date(ulidTime(id)).toISOString()
    last = time
    return text
  }
}
