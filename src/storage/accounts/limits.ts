import { sql as rawSql } from 'kysely'
import { type StoredLimit, type Limit, shownLimit } from '#src/domain/limit.ts'
import type { CallerClient } from '#src/domain/caller.ts'
import type { TagRenames } from '#src/domain/tag-renames.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { renameInFilter } from '#src/filter/language/rename-in-filter.ts'
import { type Db, query } from '#src/sql/query.ts'

const ofKey = query((p: { id: string }, sql) =>
  sql.selectFrom('api_key').select('limited_to').where('key_id', '=', p.id),
)
const ofApp = query((p: { id: string }, sql) =>
  sql.selectFrom('app').select('limited_to').where('app_id', '=', p.id),
)

/** What the limit of a key or an app is now; undefined: it is gone. */
export async function limitOf(db: Db, { kind, id }: CallerClient): Promise<StoredLimit | undefined> {
  if (id === null) return undefined
  const row = await db.get(kind === 'app' ? ofApp : ofKey, { id })
  return row?.limited_to == null ? undefined : (JSON.parse(row.limited_to) as StoredLimit)
}

const sizes = query((p: { user_id: Ulid }, sql) =>
  sql.selectNoFrom((e) =>
    (['api_key', 'app'] as const).map((table) =>
      e
        .selectFrom(table)
        .select(rawSql<number>`coalesce(sum(octet_length(limited_to)), 0)`.as('bytes'))
        .where('user_id', '=', p.user_id)
        .as(table),
    ),
  ),
)

/** Bytes of the limits of an account's keys and apps. */
export async function limitBytesOf(db: Db, user_id: Ulid): Promise<number> {
  const { api_key, app } = (await db.get(sizes, { user_id }))!
  return Number(api_key) + Number(app)
}

/** A row with its limit as it is answered: not there where it has none. */
export function withLimit<Row extends { limited_to: string | null }>({
  limited_to,
  ...row
}: Row): Omit<Row, 'limited_to'> & { limit?: Limit } {
  return { ...row, ...(limited_to !== null && { limit: shownLimit(JSON.parse(limited_to) as StoredLimit) }) }
}

const TABLES = ['api_key', 'app'] as const
const statements = TABLES.map((table) => ({
  naming: query((p: { part: string }, sql) =>
    sql
      .selectFrom(table)
      .select(['id', 'limited_to'])
      .where('limited_to', 'like', p.part)
      .orderBy('id')
      .$narrowType<{ limited_to: string }>(),
  ),
  setLimit: query((p: { id: number; limited_to: string }, sql) =>
    sql.updateTable(table).set({ limited_to: p.limited_to }).where('id', '=', p.id),
  ),
}))

/** Limits follow when fields or variants of a tag get other names, as the filters of views do. */
export async function renameInLimits(db: Db, tag_id: Ulid, renames: TagRenames): Promise<void> {
  for (const { naming, setLimit } of statements)
    for (const { id, limited_to } of await db.all(naming, { part: `%${tag_id}%` })) {
      const { filter, ...limit } = JSON.parse(limited_to) as StoredLimit
      const renamed = filter && renameInFilter(filter, tag_id, renames)
      if (renamed === filter) continue
      await db.enqueue(setLimit, { id, limited_to: JSON.stringify({ ...limit, filter: renamed }) })
    }
}
