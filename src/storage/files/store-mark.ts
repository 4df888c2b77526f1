import { placeOfBase } from '#src/sql/place-of-base.ts'
import { type Db, query } from '#src/sql/query.ts'

/** By what a base knows a store of files as its own: the store has the same id. */
export interface StoreMark {
  id: string
  /** The one before it; the store may have that still. */
  before: string | null
  turned_at: string
  /** Of the base that it was made for: a copy has the row, and is none. */
  place: string
}

/** The row of `server_secret` that has it. It says something of this base alone, so no export has it. */
export const STORE_MARK = 'files_mark'

const select = query((_: object, sql) =>
  sql.selectFrom('server_secret').select('value').where('name', '=', STORE_MARK),
)
const upsert = query((p: { value: string }, sql) =>
  sql
    .insertInto('server_secret')
    .values({ name: STORE_MARK, value: p.value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    ),
)
const remove = query((_: object, sql) => sql.deleteFrom('server_secret').where('name', '=', STORE_MARK))

/** Null: this base has had no store yet. */
export async function storeMark(db: Db): Promise<StoreMark | null> {
  const row = await db.get(select, {})
  const mark = row ? (JSON.parse(row.value) as StoreMark) : null
  return mark?.place === (await placeOfBase(db)) ? mark : null
}

export async function setStoreMark(db: Db, mark: Omit<StoreMark, 'place'>): Promise<void> {
  await db.run(upsert, { value: JSON.stringify({ ...mark, place: await placeOfBase(db) }) })
}

/** A base that came out of a copy has no store until it is given one. */
export async function forgetStoreMark(db: Db): Promise<void> {
  await db.enqueue(remove, {})
}
