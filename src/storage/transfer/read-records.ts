import { sql } from 'kysely'
import type { Db } from '#src/sql/query.ts'
import { STORE_MARK } from '#src/storage/files/store-mark.ts'
import type { RecordKind } from '#src/storage/transfer/record-kinds.ts'

/** A row in the order of its kind's columns. */
export type Row = Record<string, string | number | null>

/** Where the rows of a kind are. A view comes with its owner's address, so that it can be given back to them. */
const ownedViews = sql`(select view.*, account.email_key as owner_email from view join account on account.user_id = view.user_id)`
const viewColumns = sql.raw(
  'id, view_id, user_id, owner_email, name, icon, filter, view_type, settings, created_at, updated_at, shared, position',
)
const views = sql`(select ${viewColumns} from ${ownedViews} owned union all select ${viewColumns} from waiting_view) r`
const secrets = sql`(select * from server_secret where name <> ${STORE_MARK}) r`
const rowsOf = ({ name }: RecordKind) =>
  name === 'view' ? views : name === 'server_secret' ? secrets : sql`${sql.table(name)} r`

/** The records of a kind that follow one (undefined: from the first), in the order of its key. */
export async function readRecords(
  db: Db,
  kind: RecordKind,
  after: Row | undefined,
  limit: number,
): Promise<Row[]> {
  const columns = sql.join(Object.keys(kind.columns).map((name) => sql.ref(`r.${name}`)))
  const key = sql.join(kind.key.map((name) => sql.ref(`r.${name}`)))
  const beyond = after && sql` where (${key}) > (${sql.join(kind.key.map((name) => after[name]))})`
  const rows = sql<Row>`select ${columns} from ${rowsOf(kind)}${beyond ?? sql``} order by ${key} limit ${limit}`
  return db.select<Row>(rows.compile(db.dialect.builder))
}

/** How many records there are of a kind. */
export async function countRecords(db: Db, kind: RecordKind): Promise<number> {
  const counted = sql<{ n: number }>`select count(*) as n from ${rowsOf(kind)}`
  return (await db.select<{ n: number }>(counted.compile(db.dialect.builder)))[0]!.n
}

/** The newest row id that the database has given out for a kind, 0 for none. */
export async function lastRowId(db: Db, { name }: RecordKind): Promise<number> {
  const last = db.dialect.rowIds.last(name).compile(db.dialect.builder)
  return (await db.select<{ last: number }>(last))[0]!.last
}
