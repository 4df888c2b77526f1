import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

/** A view keeps so many of the filters that it had. */
const MOST_STORED = 100

const insert = query((p: { view_id: Ulid; filter: string; until_event: string }, sql) =>
  sql.insertInto('view_filter').values({ view_id: p.view_id, filter: p.filter, until_event: p.until_event }),
)
const dropOldest = query((p: { view_id: Ulid }, sql) =>
  sql
    .deleteFrom('view_filter')
    .where('view_id', '=', p.view_id)
    .where('id', '<=', (e) =>
      e
        .selectFrom('view_filter')
        .select('id')
        .where('view_id', '=', p.view_id)
        .orderBy('id', 'desc')
        .offset(MOST_STORED)
        .limit(1),
    ),
)

/** Keeps the filter that a view had up to an event. */
export async function keepViewFilter(
  db: Db,
  kept: { view_id: Ulid; filter: string; until_event: Ulid },
): Promise<void> {
  await db.run(insert, kept)
  await db.enqueue(dropOldest, kept)
}

const newestOfAll = query((_: object, sql) =>
  sql.selectFrom('view_filter').select(({ fn }) => fn.max('id').as('version')),
)
const newestOfViews = query((p: { view_ids: string }, sql, { texts }) =>
  sql
    .selectFrom('view_filter')
    .select(({ fn }) => ['view_id', fn.max('id').as('version')])
    .where('view_id', 'in', texts(p.view_ids))
    .groupBy('view_id'),
)

/** Which change of any view's filter was the last; 0: there was none. */
export const lastFilterChange = async (db: Db): Promise<number> =>
  (await db.get(newestOfAll, {}))?.version ?? 0

/** The same of each view that had another filter before. */
export async function filterVersions(db: Db, view_ids: readonly Ulid[]): Promise<Map<Ulid, number>> {
  const rows = await db.all(newestOfViews, { view_ids: JSON.stringify(view_ids) })
  return new Map(rows.map(({ view_id, version }) => [view_id, version]))
}

const afterVersion = query((p: { view_id: Ulid; version: number }, sql) =>
  sql
    .selectFrom('view_filter')
    .select('filter')
    .where('view_id', '=', p.view_id)
    .where('id', '>', p.version)
    .orderBy('id')
    .limit(1),
)
const atEvent = query((p: { view_id: Ulid; event: string }, sql) =>
  sql
    .selectFrom('view_filter')
    .select('filter')
    .where('view_id', '=', p.view_id)
    .where('until_event', '>=', p.event)
    .orderBy('id')
    .limit(1),
)

/** The filter that somebody has seen a view by; undefined: the one that it has now. */
export async function filterSeen(
  db: Db,
  view_id: Ulid,
  { event, version }: { event: Ulid; version?: number | undefined },
): Promise<string | undefined> {
  const row =
    version === undefined
      ? await db.get(atEvent, { view_id, event })
      : await db.get(afterVersion, { view_id, version })
  return row?.filter
}

const changedAt = query((p: { view_id: Ulid; event: string }, sql) =>
  sql
    .selectFrom('view_filter')
    .select(({ fn }) => fn.max('id').as('version'))
    .where('view_id', '=', p.view_id)
    .where('until_event', '=', p.event),
)

/** The last change of a view's filter with no event after it: an event alone does not say whether it has been seen. */
export const filterChangeAt = async (db: Db, view_id: Ulid, event: Ulid): Promise<number | undefined> =>
  (await db.get(changedAt, { view_id, event }))?.version ?? undefined
