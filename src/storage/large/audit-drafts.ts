import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { RolledBack } from '#src/domain/rolled-back.ts'
import { type Ulid, ulidAfter } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { enterEvents, type EventAuthor, type NumberedEvent } from '#src/storage/large/enter-events.ts'

/** Events in one row. */
export const IN_A_ROW = 500
/** Events that are entered at once, at the least: others write in between. */
const AT_ONCE = 1000
/** Rows that are looked through for those. */
const MOST_ROWS = 500

/** Under which `Db.cache` has whether there are drafts. */
export const DRAFTS = 'audit drafts'

const first = query((_: object, sql) => sql.selectFrom('audit_draft').select('id').orderBy('id').limit(1))

/** The number of the one that is entered next. */
export const oldestDraft = async (db: Db): Promise<number | undefined> => (await db.get(first, {}))?.id

export const readHasDrafts = async (db: Db): Promise<boolean> => (await oldestDraft(db)) !== undefined

/** For who writes: then what is recorded has to wait behind them. */
export async function hasDrafts(db: Db): Promise<boolean> {
  if (!db.cache.has(DRAFTS)) db.cache.set(DRAFTS, await readHasDrafts(db))
  return db.cache.get(DRAFTS) as boolean
}

/**
 * Before anything is read from the log.
 * @throws RolledBack while events of a large change are still to be entered, which `withCompleteLog` sees to
 */
export async function requireWholeLog(db: Db): Promise<void> {
  if (await readHasDrafts(db)) throw new RolledBack('log_incomplete')
}

const insertDraft = query(
  (
    p: {
      last_event: Ulid
      events: string
      count: number
      user_id: string | null
      source: string
      client: string | null
      change_id: Ulid
    },
    sql,
  ) =>
    sql.insertInto('audit_draft').values({
      last_event: p.last_event,
      events: p.events,
      count: p.count,
      user_id: p.user_id,
      source: p.source,
      client: p.client,
      change_id: p.change_id,
    }),
)

async function writeDraft(
  db: Db,
  { user_id, source, client, change_id }: EventAuthor,
  draft: { last_event: Ulid; events: string; count: number },
): Promise<void> {
  await db.enqueue(insertDraft, { ...draft, user_id, source, client, change_id })
  db.cache.set(DRAFTS, true)
}

/** An event as it waits: the id, and all of it as JSON text. */
export interface DraftedEvent {
  event_id: Ulid
  text: string
}

/** Records events that are entered into the log later, in their order. */
export async function draftEvents(
  db: Db,
  author: EventAuthor,
  events: readonly DraftedEvent[],
): Promise<void> {
  for (let at = 0; at < events.length; at += IN_A_ROW) {
    const chunk = events.slice(at, at + IN_A_ROW)
    await writeDraft(db, author, {
      last_event: chunk.at(-1)!.event_id,
      events: `[${chunk.map(({ text }) => text).join()}]`,
      count: chunk.length,
    })
  }
}

/** Events that were recorded before their ids were known. */
export interface UnnumberedEvents {
  count: number
  /** As `packEvents` gives it. */
  packed: string
}

/**
 * Events without their ids, as they are kept until they are entered: a large change repeats itself, and who writes
 * others' pages meanwhile has a tenth of it to write.
 */
export const packEvents = (events: readonly string[]): string =>
  zstdCompressSync(`[${events.join()}]`, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }).toString(
    'base64',
  )

const unpackEvents = (packed: string) =>
  JSON.parse(zstdDecompressSync(Buffer.from(packed, 'base64')).toString()) as WithState<unknown[]>[]

/** Records such events, as `draftEvents` does; the id of the last one. */
export async function draftUnnumbered(
  db: Db,
  author: EventAuthor,
  { count, packed }: UnnumberedEvents,
  newId: () => Ulid,
): Promise<Ulid> {
  const ids = Array.from({ length: count }, newId)
  const [first] = ids as [Ulid]
  const last = ids.at(-1)!
  // Ids only grow: where there is room for no others between the two, these are all that there are.
  const numbers = ulidAfter(first, count - 1) === last ? { first } : { ids }
  await writeDraft(db, author, {
    last_event: last,
    events: JSON.stringify({ ...numbers, packed }),
    count,
  })
  return last
}

type WithState<Event extends unknown[]> = [state: object | null, ...Event]
type Draft = WithState<unknown[]>[] | { first: Ulid; packed: string } | { ids: Ulid[]; packed: string }

function eventsIn(text: string): NumberedEvent[] {
  const draft = JSON.parse(text) as Draft
  const idOf = (i: number): Ulid[] => {
    if (Array.isArray(draft)) return []
    return ['ids' in draft ? draft.ids[i]! : ulidAfter(draft.first, i)!]
  }
  return (Array.isArray(draft) ? draft : unpackEvents(draft.packed)).map(
    ([state, ...event], i) =>
      [...idOf(i), ...event, state && JSON.stringify(state)] as unknown as NumberedEvent,
  )
}

const waiting = query((_: object, sql) =>
  sql.selectFrom('audit_draft').select(['id', 'count']).orderBy('id').limit(MOST_ROWS),
)
const oldest = query((p: { until: number }, sql) =>
  sql.selectFrom('audit_draft').selectAll().where('id', '<=', p.until).orderBy('id'),
)
const drop = query((p: { until: number }, sql) => sql.deleteFrom('audit_draft').where('id', '<=', p.until))

/** Enters the oldest drafts into the log; whether some are left. */
export async function enterDrafts(db: Db): Promise<boolean> {
  const rows = await db.all(waiting, {})
  let taken = 0
  let events = 0
  while (taken < rows.length && events < AT_ONCE) events += rows[taken++]!.count
  if (taken) {
    const until = rows[taken - 1]!.id
    for (const { events: text, user_id, source, client, change_id } of await db.all(oldest, { until }))
      await enterEvents(db, { user_id, source, client, change_id }, eventsIn(text))
    await db.enqueue(drop, { until })
  }
  const left = taken < rows.length
  db.cache.set(DRAFTS, left)
  return left
}
