import type { Caller } from '#src/domain/caller.ts'
import type { IsoTime } from '#src/domain/iso-time.ts'
import { firstUlidAt, lastUlidAt, ulidTime, type Ulid } from '#src/domain/ulid.ts'
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
  /** By event type: decisions §8. JSON text where stored JSON is pasted into it. */
  details: Record<string, unknown> | string
}

/** The rest of an event comes from the call: SqlContext has all of it. */
export interface EventContext {
  caller: Caller
  newId: () => Ulid
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
] as const

const insertEvents = rowInserter('audit_event', COLUMNS)

/** Records events in the order given, in the transaction of their change. */
export async function appendEvents(
  db: Db,
  { caller, newId }: EventContext,
  events: readonly AuditEvent[],
): Promise<void> {
  const timeOf = timestamps()
  await insertEvents(
    db,
    events.map(({ event_type, entity_type, item_id, tag_id, details }) => {
      const event_id = newId()
      return [
        event_id,
        event_type,
        entity_type,
        item_id ?? null,
        tag_id ?? null,
        caller.user_id,
        caller.source,
        typeof details === 'string' ? details : JSON.stringify(details),
        timeOf(event_id),
      ]
    }),
  )
}

/** An event's time is its id's: it never goes backwards, so the order of ids is the order of times. */
function timestamps(): (id: Ulid) => string {
  let last = -1
  let text = ''
  return (id) => {
    const time = ulidTime(id)
    if (time !== last) text = new Date(time).toISOString()
    last = time
    return text
  }
}

export interface EventQuery {
  limit: number
  /** Exclusive. */
  after?: IsoTime | undefined
  before?: IsoTime | undefined
  item_ids?: readonly Ulid[] | undefined
  tag_ids?: readonly Ulid[] | undefined
  event_types?: readonly string[] | undefined
}

/** Lists up to this long are walked each by itself, newest first; longer ones are gathered and sorted. */
const MAX_BRANCHES = 32

/** The events that satisfy all that is given, newest first, each as JSON text. */
export async function findEvents(db: Db, wanted: EventQuery): Promise<string[]> {
  const lists = [
    ['item_id', distinct(wanted.item_ids)],
    ['tag_id', distinct(wanted.tag_ids)],
    ['event_type', distinct(wanted.event_types)],
  ] as const
  if (lists.some(([, values]) => values?.length === 0)) return []
  const walked = lists.find(([, values]) => values && values.length <= MAX_BRANCHES)

  const branch = (value?: string) => {
    let events = db.dialect.builder.selectFrom('audit_event').select(COLUMNS)
    for (const [column, values] of lists) {
      if (!values) continue
      if (column === walked?.[0]) events = events.where(column, '=', value!)
      else events = events.where(column, 'in', db.dialect.texts(JSON.stringify(values)))
    }
    if (wanted.after) events = events.where('event_id', '>', lastUlidAt(Math.max(wanted.after.floor, 0)))
    if (wanted.before) events = events.where('event_id', '<', firstUlidAt(Math.max(wanted.before.ceil, 0)))
    return events.orderBy('event_id', 'desc').limit(wanted.limit)
  }
  const [first, ...others] = walked ? walked[1]!.map(branch) : [branch()]
  const compilable = others.length
    ? others
        .map((each) => db.dialect.builder.selectFrom(each.as('event')).select(COLUMNS))
        .reduce(
          (all, each) => all.unionAll(each),
          db.dialect.builder.selectFrom(first!.as('event')).select(COLUMNS),
        )
        .orderBy('event_id', 'desc')
        .limit(wanted.limit)
    : first!
  const rows = await db.select<EventRow>(compilable)
  return rows.map(toJson)
}

type EventRow = Record<(typeof COLUMNS)[number], string | null>

const distinct = (values: readonly string[] | undefined) => values && [...new Set(values)]

function toJson({ details, ...rest }: EventRow): string {
  return `${JSON.stringify(rest).slice(0, -1)},"details":${details}}`
}
