import { tooManyChanges } from '#src/domain/allowance.ts'
import { filesBrought } from '#src/domain/mentioned-files.ts'
import { findFiles } from '#src/storage/files/files.ts'
import { mayUse } from '#src/storage/files/may-read.ts'
import { addFileUses } from '#src/storage/files/file-uses.ts'
import type { Caller } from '#src/domain/caller.ts'
import type { EventFacts } from '#src/domain/change-facts.ts'
import type { EventState } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { draftEvents, type DraftedEvent, hasDrafts } from '#src/storage/large/audit-drafts.ts'
import type { OpenChange } from '#src/storage/changes/open-change.ts'
import { isSeenByLog } from '#src/storage/sight/sight.ts'
import {
  enterEvents,
  type EventAuthor,
  type NumberedEvent,
  timestamps,
} from '#src/storage/large/enter-events.ts'

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
  /** Of a deletion by a merge: the item that stays. For who takes the events of a try; the log does not have it. */
  merged_into?: Ulid
}

/** The rest of an event comes from the call: SqlContext has all of it. */
export interface EventContext {
  caller: Caller
  now: Date
  newId: () => Ulid
  change: OpenChange
  changed?: Set<Ulid>
  /** Nothing of the change stays: its events are counted, and entered only where a limit asks the log. */
  scratch?: true | undefined
  /** Of a change that is only tried out: takes its events. */
  onEvents?: ((events: readonly AuditEvent[]) => void) | undefined
  /** Takes the events of a change that is only recorded, to be carried out later. */
  recorder?: { take(events: readonly AuditEvent[], now: Date, part: number | undefined): void } | undefined
}

/** This many at once are entered into the log afterwards: anyone else who writes does not wait for it. */
export const MANY = 5000

/** Under which the events of a call are recorded. */
export function authorOf({ user_id, source, client }: Caller, change: OpenChange): EventAuthor {
  return { user_id, source, client: client ? JSON.stringify(client) : null, change_id: change.id }
}

/** Records events in the order given, in the transaction of their change. */
export async function appendEvents(
  db: Db,
  { caller, newId, now, change, changed, scratch, onEvents, recorder }: EventContext,
  given: readonly AuditEvent[],
): Promise<void> {
  if (!given.length) return
  if (!scratch) await noteFiles(db, caller, given)
  const { told } = change
  const events = told ? given.map((event) => withDetails(event, told)) : given
  if (recorder) return recorder.take(events, now, change.part)
  if (changed) for (const { item_id } of events) if (item_id) changed.add(item_id)
  // As soon as it is known: there may be many thousands more.
  if (caller.may_change && changed && changed.size > caller.may_change.left)
    throw tooManyChanges(caller.may_change)
  if (scratch) {
    onEvents?.(events)
    if (!isSeenByLog(db)) return change.noteAll(events.map(factsOf), newId())
  }
  const author = authorOf(caller, change)
  const timeOf = timestamps()
  const updated_at = now.toISOString()
  const number = (event: AuditEvent) => {
    const event_id = newId()
    change.note(factsOf(event), event_id)
    return { event_id, state: stateText(event, timeOf(event_id), updated_at, change.part) }
  }
  const rows = () => events.map((event) => numbered(event, number(event)))
  // What is tried out must not find its own events of tags in the log.
  if (scratch)
    await enterEvents(
      db,
      author,
      rows().filter(([, , , item_id]) => item_id !== null),
    )
  else if (change.large || events.length >= MANY || (await hasDrafts(db))) {
    change.drafted = true
    await draftEvents(
      db,
      author,
      events.map((event) => draftOf(event, number(event))),
    )
  } else await enterEvents(db, author, rows())
}

/**
 * Which files the events bring to items is noted alongside them: it keeps the files (further §14). What somebody else
 * has written there before does not count by the rights of whoever takes it out, or edits another word of it.
 */
async function noteFiles(db: Db, caller: Caller, events: readonly AuditEvent[]): Promise<void> {
  for (const { event_type, item_id, details } of events) {
    if (item_id === undefined) continue
    const files = filesBrought(event_type, details)
    if (files.size) await addFileUses(db, caller.user_id, item_id, await usable(db, caller, files))
  }
}

function withDetails(event: AuditEvent, more: Readonly<Record<string, string>>): AuditEvent {
  const { details } = event
  if (typeof details !== 'string') return { ...event, details: { ...details, ...more } }
  return { ...event, details: `${details.slice(0, -1)},${JSON.stringify(more).slice(1)}` }
}

/** A key that sees a part of the base does not come to see a file by writing its id down. */
async function usable(db: Db, caller: Caller, file_ids: ReadonlySet<Ulid>): Promise<ReadonlySet<Ulid>> {
  if (!caller.limited) return file_ids
  const found = new Set<Ulid>()
  for (const file of (await findFiles(db, file_ids)).values())
    if (await mayUse(db, caller, file)) found.add(file.file_id)
  return found
}

interface Numbers {
  event_id: Ulid
  state: string | null
}

function numbered(
  { event_type, entity_type, item_id, tag_id, details }: AuditEvent,
  { event_id, state }: Numbers,
): NumberedEvent {
  const [value, text] = typeof details === 'string' ? [JSON.parse(details) as unknown, details] : [details]
  return [event_id, event_type, entity_type, item_id ?? null, tag_id ?? null, value, state, text]
}

const draftOf = (event: AuditEvent, { event_id, state }: Numbers): DraftedEvent => ({
  event_id,
  text: `[${state},"${event_id}",${toldText(event)}]`,
})

/** An event of a change that is only recorded: all of it but its id, which its state cannot lean on. */
export const unnumberedText = (event: AuditEvent, now: Date, part: number | undefined): string =>
  `[${stateText(event, '', now.toISOString(), part)},${toldText(event)}]`

const toldText = ({ event_type, entity_type, item_id, tag_id, details }: AuditEvent): string =>
  `"${event_type}","${entity_type}",${quotedOrNull(item_id)},${quotedOrNull(tag_id)},` +
  (typeof details === 'string' ? details : JSON.stringify(details))

const quotedOrNull = (id: Ulid | undefined): string => (id === undefined ? 'null' : `"${id}"`)

/** What the summary of the change is made of. */
export function factsOf({ event_type, item_id, details, ...given }: AuditEvent): EventFacts {
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
