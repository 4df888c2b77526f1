import { eventChanges, type PathChange } from '#src/domain/event-changes.ts'
import type { EventDetails } from '#src/domain/past-event.ts'
import { detailsNow, type PastRename, renamesAfter } from '#src/domain/past-rename.ts'
import { textsUpTo } from '#src/domain/up-to.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { BEGINNING } from '#src/storage/log/audit-chain.ts'
import { readChangeHead } from '#src/storage/log/change-chain.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { withDetails } from '#src/storage/changes/event-details.ts'
import { renamesOf } from '#src/storage/changes/past-renames.ts'
import {
  type EventPath,
  type EventQuery,
  type EventRow,
  readEvents,
  withRange,
} from '#src/storage/log/event-rows.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'

type ReadRow = EventRow & { details: string }

export interface FoundEvents {
  /** JSON texts. */
  texts: string[]
  /** The last one's id, where there are more. */
  next: Ulid | undefined
}

/** Events that are read at once where not every one of them is shown. */
const PAGE = 1000

/** Newest first; after an event, oldest first. Fewer than `limit`, with `next`, where they are long. */
export async function findEvents(db: Db, wanted: EventQuery): Promise<FoundEvents> {
  const { limit, paths } = wanted
  const isOnPaths = paths && (await pathTest(db, paths))
  const texts: string[] = []
  let [size, next] = [0, undefined as Ulid | undefined]
  for (let query = await withRange(db, wanted); query;) {
    const rows = await readEvents(db, { ...query, limit: paths ? PAGE : limit + 1 })
    const names = await userNames(db, rows)
    for (const row of rows) {
      const isFull = texts.length >= limit || size >= MAX_PAGE_TEXT
      if (isFull && !paths) return { texts, next }
      const event = await withDetails(db, row)
      if (isOnPaths && !isOnPaths(event)) continue
      if (isFull) return { texts, next }
      const text = toJson(event, names)
      texts.push(text)
      size += text.length
      next = row.event_id
    }
    if (!paths || rows.length < PAGE) break
    const last = rows.at(-1)!.event_id
    query = {
      ...query,
      ...(query.after_event === undefined ? { before_event: last } : { after_event: last }),
    }
  }
  return { texts, next: undefined }
}

/** An event as it is shown, with what it is chosen by. */
export interface FollowedEvent {
  event_id: Ulid
  event_type: string
  item_id: Ulid | null
  tag_id: Ulid | null
  /** JSON text. */
  text: string
}

export interface FollowedEvents {
  events: FollowedEvent[]
  /** There may be more after them. */
  more: boolean
  /** The newest event of the same moment; '' in an empty log. */
  head: Ulid | ''
}

/** Characters after which no more events are read at once for those who follow. */
const MAX_FOLLOWED_TEXT = 2_000_000

/** Events after one, oldest first, and the newest of the log; without a query that alone. */
export async function followEvents(
  db: Db,
  wanted: Omit<EventQuery, 'paths'> | null,
): Promise<FollowedEvents> {
  await requireWholeLog(db)
  const rows = wanted ? await readEvents(db, wanted) : []
  const names = await userNames(db, rows)
  const texts = await textsUpTo(rows, MAX_FOLLOWED_TEXT, async (row) =>
    toJson(await withDetails(db, row), names),
  )
  const events = texts.map((text, i) => {
    const { event_id, event_type, item_id, tag_id } = rows[i]!
    return { event_id, event_type, item_id, tag_id, text }
  })
  const more = events.length < rows.length || rows.length === wanted?.limit
  return { events, more, head: (await db.get(head, {}))?.event_id ?? '' }
}

/** An event as it is shown, as JSON text. */
export async function eventText(db: Db, event_id: Ulid): Promise<string | undefined> {
  const rows = await readEvents(db, { limit: 1, from: event_id, to: event_id })
  const names = await userNames(db, rows)
  return rows[0] && toJson(await withDetails(db, rows[0]), names)
}

/** Paths have the names of now, as those of the history have: events are read under the renames that followed them. */
async function pathTest(db: Db, paths: readonly EventPath[]): Promise<(row: ReadRow) => boolean> {
  const tag_ids = new Set(paths.flatMap(({ tag_id }) => tag_id ?? []))
  const renames = Map.groupBy(await renamesOf(db, [...tag_ids]), ({ tag_id }) => tag_id)
  return (row) => onPaths(row, paths, (row.tag_id !== null && renames.get(row.tag_id)) || [])
}

/** A tag that comes or goes changes the fields for which it has values. */
function onPaths(row: ReadRow, paths: readonly EventPath[], renames: readonly PastRename[]): boolean {
  const { event_id, event_type, tag_id: ofTag, redacted } = row
  const details = detailsNow(JSON.parse(row.details) as EventDetails, renamesAfter(renames, event_id))
  const changes = eventChanges({ event_type, tag_id: ofTag, details, redacted: redacted === 1 }, () => '')
  return paths.some(({ tag_id, field }) => {
    if (tag_id === null) return ofTag === null && changes.some(({ path }) => path === field)
    if (ofTag !== tag_id || !changes.length) return false
    return field === null || changes.some((change) => concerns(change, field))
  })
}

const concerns = ({ path, old, new: now }: PathChange, field: string): boolean =>
  path === `.${field}` || (path === '' && Object.hasOwn((old ?? now) as object, field))

const namesOf = query((p: { user_ids: string }, sql, dialect) =>
  sql
    .selectFrom('account')
    .select(['user_id', 'display_name'])
    .where('user_id', 'in', dialect.texts(p.user_ids)),
)

async function userNames(db: Db, rows: readonly EventRow[]): Promise<ReadonlyMap<string, string | null>> {
  const user_ids = [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]
  if (!user_ids.length) return new Map()
  const accounts = await db.all(namesOf, { user_ids: JSON.stringify(user_ids) })
  return new Map(accounts.map(({ user_id, display_name }) => [user_id, display_name]))
}

/** An event that is older than changes is a change of its own. */
function toJson(
  { details, client, change_id, details_hash, details_salt, hash, redacted, ...rest }: ReadRow,
  names: ReadonlyMap<string, string | null>,
): string {
  const user_name = (rest.user_id !== null && names.get(rest.user_id)) || null
  const head = JSON.stringify({ ...rest, user_name, change_id: change_id ?? rest.event_id })
  const proof = JSON.stringify({ details_hash, details_salt, hash, ...(redacted && { redacted: true }) })
  return `${head.slice(0, -1)},"client":${client ?? 'null'},"details":${details},${proof.slice(1)}`
}

const head = query((_: object, sql) =>
  sql.selectFrom('audit_event').select(['event_id', 'hash']).orderBy('event_id', 'desc').limit(1),
)
const counted = query((_: object, sql) =>
  sql.selectFrom('audit_event').select(({ fn }) => fn.countAll<number>().as('count')),
)

/** The newest event and its hash, and how many there are. */
export async function auditHead(db: Db): Promise<{ event_id: Ulid | null; hash: string; count: number }> {
  await requireWholeLog(db)
  const newest = (await db.get(head, {})) ?? { event_id: null, hash: BEGINNING }
  return { ...newest, count: (await db.get(counted, {}))!.count }
}

/** The hashes of the newest event that is entered and of the newest change. */
export interface AuditHeads {
  event_id: Ulid | null
  hash: string
  changes: string
}

/** Without waiting for what a large change has still to enter. */
export async function auditHeads(db: Db): Promise<AuditHeads> {
  const newest = (await db.get(head, {})) ?? { event_id: null, hash: BEGINNING }
  return { ...newest, changes: await readChangeHead(db) }
}
