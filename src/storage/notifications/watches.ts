import { sql as rawSql, type Selectable } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { WatchTable } from '#src/sql/tables.ts'

export type WatchRow = Selectable<WatchTable>

/** What of a view's happenings is reported. */
export interface Watch {
  enter: boolean
  change: boolean
  leave: boolean
}

export const NO_WATCH: Watch = { enter: false, change: false, leave: false }

export const watchOf = ({ enters, changes, leaves }: WatchRow): Watch => ({
  enter: enters === 1,
  change: changes === 1,
  leave: leaves === 1,
})

const ofUser = query((p: { user_id: Ulid }, sql) =>
  sql.selectFrom('watch').selectAll().where('user_id', '=', p.user_id),
)
const upsert = query((p: WatchRow, sql) =>
  sql
    .insertInto('watch')
    .values({
      user_id: p.user_id,
      view_id: p.view_id,
      enters: p.enters,
      changes: p.changes,
      leaves: p.leaves,
      since: p.since,
      filter: p.filter,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'view_id'])
        .doUpdateSet({ enters: p.enters, changes: p.changes, leaves: p.leaves }),
    ),
)
const drop = query((p: { user_id: Ulid; view_id: Ulid }, sql) =>
  sql.deleteFrom('watch').where('user_id', '=', p.user_id).where('view_id', '=', p.view_id),
)
const dropOthers = query((p: { user_id: Ulid; view_id: Ulid }, sql) =>
  sql.deleteFrom('watch').where('view_id', '=', p.view_id).where('user_id', '<>', p.user_id),
)

/** An account's watches by view. */
export async function watchesOf(db: Db, user_id: Ulid): Promise<Map<Ulid, Watch>> {
  const rows = await db.all(ofUser, { user_id })
  return new Map(rows.map((row) => [row.view_id, watchOf(row)]))
}

const bytesOf = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('watch')
    .select(rawSql<number>`coalesce(sum(octet_length(filter)), 0)`.as('bytes'))
    .where('user_id', '=', p.user_id),
)

/** Bytes of the filters of an account's watches. */
export const watchBytesOf = async (db: Db, user_id: Ulid): Promise<number> =>
  (await db.get(bytesOf, { user_id }))!.bytes

/** One that is there already goes on from where it began. */
export const putWatch = (db: Db, watch: WatchRow): Promise<unknown> => db.run(upsert, watch)

export const dropWatch = (db: Db, key: { user_id: Ulid; view_id: Ulid }): Promise<unknown> =>
  db.run(drop, key)

/** Of a view that its owner shares no more. */
export const dropWatchesOfOthers = (db: Db, key: { user_id: Ulid; view_id: Ulid }): Promise<unknown> =>
  db.run(dropOthers, key)

const all = query((_: object, sql) =>
  sql.selectFrom('watch').selectAll().orderBy('filter').orderBy('view_id').orderBy('user_id'),
)

/** Everybody's, with their filters, which can be long: not to be read while the writer is held. */
export const allWatches = (db: Db): Promise<WatchRow[]> => db.all(all, {})

const pairs = query((_: object, sql) => sql.selectFrom('watch').select(['user_id', 'view_id']))
const any = query((_: object, sql) => sql.selectFrom('watch').select('view_id').limit(1))

/** Who watches what. */
export const watchPairs = (db: Db): Promise<Pick<WatchRow, 'user_id' | 'view_id'>[]> => db.all(pairs, {})

/** Whether anybody watches anything. */
export const isAnyWatched = async (db: Db): Promise<boolean> => (await db.get(any, {})) !== undefined

const refilterView = query((p: { view_id: Ulid; filter: string }, sql) =>
  sql.updateTable('watch').set({ filter: p.filter }).where('view_id', '=', p.view_id),
)
const rename = query((p: { from: string; to: string }, sql) =>
  sql.updateTable('watch').set({ filter: p.to }).where('filter', '=', p.from),
)

/** The view has another filter from now on. */
export const refilterWatches = (db: Db, view_id: Ulid, filter: string): Promise<unknown> =>
  db.run(refilterView, { view_id, filter })

/** The log is looked at to where a filter has other names. */
export const renameInWatches = (db: Db, names: { from: string; to: string }): Promise<unknown> =>
  db.run(rename, names)

const cursor = query((_: object, sql) => sql.selectFrom('watch_cursor').select('position'))
const setCursor = query((p: { position: string }, sql) =>
  sql
    .insertInto('watch_cursor')
    .values({ id: 1, position: p.position })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ position: p.position })),
)

/** Up to where watched views are looked at; undefined before the first watch. */
export const watchCursor = async (db: Db): Promise<string | undefined> => (await db.get(cursor, {}))?.position

export const moveWatchCursor = (db: Db, position: string): Promise<unknown> => db.run(setCursor, { position })

const othersSince = query((p: { after: Ulid; user_id: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select('event_id')
    .where('event_id', '>', p.after)
    .where((e) => e.or([e('user_id', 'is', null), e('user_id', '<>', p.user_id)]))
    .limit(1),
)

/** Whether anybody else has done something after an event. */
export const othersDidSince = async (db: Db, after: Ulid, user_id: Ulid): Promise<boolean> =>
  (await db.get(othersSince, { after, user_id })) !== undefined
