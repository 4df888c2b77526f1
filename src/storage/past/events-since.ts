import { badRequest } from '#src/domain/errors.ts'
import type { EventState } from '#src/domain/past-event.ts'
import { lastUlidAt, type Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { SKEW_MS } from '#src/storage/items/past-item.ts'

/** The base of then is made of what was touched since: more would take too long. */
export const MAX_TOUCHED = 100_000
/** Events that are read at once. */
const PAGE = 2000

/** Where a moment is in the log. */
export interface Cut {
  /** The events up to this id had happened. */
  id: Ulid
  /** The newest of them; undefined where none had. */
  head: Ulid | undefined
  /** Some happened later. */
  since: boolean
  /** Items that had changed by their own times, though the log has their events after others: up to which event. */
  late: ReadonlyMap<Ulid, Ulid>
}

const skewed = query((p: { after: Ulid; until: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(['event_id', 'item_id', 'state'])
    .where('event_id', '>', p.after)
    .where('event_id', '<=', p.until)
    .where('item_id', 'is not', null)
    .where('state', 'like', '%"updated_at":"%')
    .orderBy('event_id'),
)
const firstOfTags = query((p: { after: Ulid; until: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select('event_id')
    .where('event_id', '>', p.after)
    .where('event_id', '<=', p.until)
    .where('item_id', 'is', null)
    .orderBy('event_id')
    .limit(1),
)
const newestUpTo = query((p: { id: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select('event_id')
    .where('event_id', '<=', p.id)
    .orderBy('event_id', 'desc')
    .limit(1),
)
const last = query((_: object, sql) =>
  sql.selectFrom('audit_event').select('event_id').orderBy('event_id', 'desc').limit(1),
)

/**
 * An item's own time may be behind that of its event, by which it had happened then. What others did between the two
 * had not: of a change that took long, and whatever came in meanwhile.
 */
export async function cutAt(db: Db, time: number): Promise<Cut> {
  await requireWholeLog(db)
  const id = lastUlidAt(time)
  const [head, newest] = [await db.get(newestUpTo, { id }), await newestEventId(db)]
  const late = await lateItems(db, { after: id, until: lastUlidAt(time + SKEW_MS) }, new Date(time))
  return { id, head: head?.event_id, since: newest > id, late }
}

/** Not beyond an event of a tag: what came after it may have been made by another schema. */
async function lateItems(
  db: Db,
  range: { after: Ulid; until: Ulid },
  moment: Date,
): Promise<ReadonlyMap<Ulid, Ulid>> {
  const late = new Map<Ulid, Ulid>()
  const rows = (await db.all(skewed, range)).filter(({ state }) => {
    const { updated_at } = JSON.parse(state!) as EventState
    return updated_at != null && updated_at <= moment.toISOString()
  })
  if (!rows.length) return late
  const ofTag = (await db.get(firstOfTags, range))?.event_id ?? '~'
  for (const { event_id, item_id } of rows) if (event_id < ofTag) late.set(item_id!, event_id)
  return late
}

/** '' in an empty log. */
export const newestEventId = async (db: Db): Promise<Ulid | ''> => (await db.get(last, {}))?.event_id ?? ''

// Row ids: to read and compare the texts of ten thousand events takes most of the time that a page has.
const after = query((p: { after: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select('event_id')
    .select((of) =>
      of.selectFrom('item').select('id').whereRef('item.item_id', '=', 'audit_event.item_id').as('item'),
    )
    .where('event_id', '>', p.after)
    .orderBy('event_id')
    .limit(PAGE),
)
const purgedBetween = query((p: { after: Ulid; until: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .innerJoin('purged_item', 'purged_item.item_id', 'audit_event.item_id')
    .select(['purged_item.id', 'purged_item.item_id'])
    .distinct()
    .where('event_id', '>', p.after)
    .where('event_id', '<=', p.until),
)

export interface Touched {
  /** Row ids of items that have not been known, purged ones too. */
  met: number[]
  purged: { id: number; item_id: Ulid }[]
  newest: Ulid
}

/**
 * What the events after one have touched, many read at once: each by itself would be waited for.
 * @param known row ids of touched items; takes in those that are met
 * @throws BadRequest where they are too many together
 */
export async function touchedSince(db: Db, cut: Ulid, known: Set<number>): Promise<Touched> {
  const found: Touched = { met: [], purged: [], newest: cut }
  const meet = (id: number): boolean => {
    if (known.has(id)) return false
    known.add(id)
    return found.met.push(id) > 0
  }
  for (;;) {
    const rows = await db.all(after, { after: found.newest })
    const until = rows.at(-1)?.event_id ?? found.newest
    // About a tag, or of a purged item.
    let others = false
    for (const { item } of rows)
      if (item === null) others = true
      else meet(item)
    if (others)
      for (const row of await db.all(purgedBetween, { after: found.newest, until }))
        if (meet(row.id)) found.purged.push(row)
    if (known.size > MAX_TOUCHED) throw await tooMuchTouched(db)
    found.newest = until
    if (rows.length < PAGE) return found
  }
}

const before = query((p: { before: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(['event_id', 'item_id', 'created_at'])
    .where('event_id', '<', p.before)
    .orderBy('event_id', 'desc')
    .limit(PAGE),
)

/** With the earliest moment that can be read. */
export async function tooMuchTouched(db: Db) {
  const touched = new Set<Ulid>()
  let earliest: string | undefined
  for (let from = '~'; earliest === undefined;) {
    const rows = await db.all(before, { before: from })
    for (const { item_id, created_at } of rows) {
      if (item_id !== null) touched.add(item_id)
      if (touched.size > MAX_TOUCHED) {
        earliest = created_at
        break
      }
    }
    if (rows.length < PAGE) break
    from = rows.at(-1)!.event_id
  }
  return badRequest(
    `as_of: more than ${MAX_TOUCHED.toLocaleString('en')} items have been touched since then`,
    {
      suggestion:
        earliest === undefined
          ? 'Leave out the fields of tags that have changed since'
          : `Take a later time: ${earliest} is the earliest`,
      ...(earliest !== undefined && { details: { earliest } }),
    },
  )
}
