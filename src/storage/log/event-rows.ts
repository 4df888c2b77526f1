import type { IsoTime } from '#src/domain/iso-time.ts'
import { firstUlidAt, lastUlidAt, type Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { changesOf } from '#src/storage/changes/changes.ts'
import { shortDetails } from '#src/storage/changes/event-details.ts'

const SHOWN = [
  'event_id',
  'event_type',
  'entity_type',
  'item_id',
  'tag_id',
  'user_id',
  'source',
  'created_at',
  'change_id',
  'client',
  'details_hash',
  'details_salt',
  'hash',
  'redacted',
] as const
/** What is shown of an event; `state` is not. */
export const SHOWN_COLUMNS = [...SHOWN, shortDetails] as const

export type EventRow = Record<Exclude<(typeof SHOWN)[number], 'redacted'>, string | null> & {
  event_id: Ulid
  event_type: string
  /** Null where they are long. */
  details: string | null
  redacted: number
}

/** Everything given must hold. */
export interface EventQuery {
  limit: number
  /** Exclusive. */
  after?: IsoTime | undefined
  before?: IsoTime | undefined
  item_ids?: readonly Ulid[] | undefined
  tag_ids?: readonly Ulid[] | undefined
  event_types?: readonly string[] | undefined
  change_id?: string | undefined
  change_ids?: readonly Ulid[] | undefined
  user_id?: string | undefined
  source?: string | undefined
  client_id?: string | undefined
  /** `Task.status`, `Task`, `name`. */
  paths?: readonly EventPath[] | undefined
  /** Only older events than this one. */
  before_event?: Ulid | undefined
  /** Only newer ones, and then oldest first. */
  after_event?: Ulid | undefined
}

/** A path with the tag that it begins with; null for the item's own `name` and `description`. */
export interface EventPath {
  tag_id: Ulid | null
  field: string | null
}

type Narrowed = EventQuery & { from?: Ulid; to?: Ulid }

/** A change is a stretch of the log. Null: there is no such change. */
export async function withRange(db: Db, wanted: EventQuery): Promise<Narrowed | null> {
  const { change_id, change_ids } = wanted
  if (change_id === undefined && !change_ids) return wanted
  const both = change_ids && change_id !== undefined
  const ids = both ? change_ids.filter((id) => id === change_id) : (change_ids ?? [change_id!])
  const changes = await changesOf(db, ids)
  if (!changes.length) return null
  const found = changes.map((change) => change.change_id)
  const from = found.reduce((least, id) => (id < least ? id : least))
  const to = changes.map(({ last_event }) => last_event).reduce((most, id) => (id > most ? id : most))
  return { ...wanted, change_ids: changes.length > 1 ? found : undefined, from, to }
}

/** Lists up to this long are walked each by itself, newest first; longer ones are gathered and sorted. */
const MAX_BRANCHES = 32

export async function readEvents(db: Db, wanted: Narrowed): Promise<EventRow[]> {
  await requireWholeLog(db)
  const lists = [
    ['item_id', distinct(wanted.item_ids)],
    ['tag_id', distinct(wanted.tag_ids)],
    ['event_type', distinct(wanted.event_types)],
  ] as const
  if (lists.some(([, values]) => values?.length === 0)) return []
  const walked = lists.find(([, values]) => values && values.length <= MAX_BRANCHES)
  const { builder, texts } = db.dialect
  let rest = matching(db, wanted)
  for (const [column, values] of lists)
    if (values && column !== walked?.[0]) rest = rest.where(column, 'in', texts(JSON.stringify(values)))
  const direction = wanted.after_event === undefined ? 'desc' : 'asc'
  const inOrder = (query: typeof rest) => query.orderBy('event_id', direction).limit(wanted.limit)
  if (!walked) return db.select<EventRow>(inOrder(rest))
  const [column, values] = walked
  const branches = values!.map((value) => inOrder(rest.where(column, '=', value)))
  if (branches.length === 1) return db.select<EventRow>(branches[0]!)
  const [first, ...others] = branches.map((each) =>
    builder.selectFrom(each.as('event')).select([...SHOWN, 'details']),
  )
  const all = others.reduce((both, each) => both.unionAll(each), first!)
  return db.select<EventRow>(all.orderBy('event_id', direction).limit(wanted.limit))
}

/** All that must hold but for the lists, in no order. */
function matching({ dialect: { builder, texts } }: Db, wanted: Narrowed) {
  let events = builder.selectFrom('audit_event').select(SHOWN_COLUMNS)
  for (const column of ['user_id', 'source'] as const)
    if (wanted[column] !== undefined) events = events.where(column, '=', wanted[column])
  if (wanted.client_id !== undefined)
    events = events.where(
      'change_id',
      'in',
      builder.selectFrom('change').select('change_id').where('client_id', '=', wanted.client_id),
    )
  if (wanted.change_ids) {
    const ids = texts(JSON.stringify(wanted.change_ids))
    // An event that is older than changes is one of its own.
    events = events.where((e) => e(e.fn.coalesce('change_id', 'event_id'), 'in', ids))
  }
  for (const [operator, id] of bounds(wanted)) events = events.where('event_id', operator, id)
  return events
}

function bounds({ after, before, before_event, after_event, from, to }: Narrowed) {
  const all: ['<' | '<=' | '>' | '>=', Ulid | undefined][] = [
    ['>', after && lastUlidAt(Math.max(after.floor, 0))],
    ['<', before && firstUlidAt(Math.max(before.ceil, 0))],
    ['<', before_event],
    ['>', after_event],
    ['>=', from],
    ['<=', to],
  ]
  return all.flatMap(([operator, id]) => (id === undefined ? [] : [[operator, id] as const]))
}

const distinct = (values: readonly string[] | undefined) => values && [...new Set(values)]
