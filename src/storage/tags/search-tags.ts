import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { badRequest } from '#src/domain/errors.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { tagFilterToSql } from '#src/filter/sql/filter-to-sql.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { ItemColumn } from '#src/storage/search/search-order.ts'
import { evaluateRegexes } from '#src/storage/search/evaluate-regexes.ts'
import { isKnownTag, knownTags } from '#src/storage/sight/sight.ts'
import { findTagByRow, type StoredTag } from '#src/storage/tags/tags.ts'

/** Tags have no fields of their own to be sorted by. */
export interface TagOrder {
  keys: readonly { column: ItemColumn; descending: boolean }[]
  descending: boolean
}

export interface TagSearch {
  plan: FilterPlan
  order: TagOrder
  limit: number
  after: string | undefined
  /** How many of its tags come before the page. */
  skip: number
}

interface TagPage {
  tags: StoredTag[]
  next: string | undefined
}

const orderRow = query((p: { tag_id: Ulid }, db) =>
  db.selectFrom('tag').select(['id', 'name', 'created_at', 'updated_at']).where('tag_id', '=', p.tag_id),
)

/** One page of live tags that satisfy a plan. Tags are few, so a page is sorted from all of them. */
export async function findTags(db: Db, { plan, order, limit, after, skip }: TagSearch): Promise<TagPage> {
  if (limit === 0) return { tags: [], next: undefined }
  const where = [
    sql<SqlBool>`t.deleted_at is null`,
    sql<SqlBool>`${tagFilterToSql(await evaluateRegexes(db, plan, { table: 'tag' }), db.dialect, 't')}`,
  ]
  where.push(...known(db))
  if (after !== undefined) where.push(await isAfter(db, order, after))
  const by = order.keys.map(({ column, descending }) => sql`${sql.ref(`t.${column}`)}${way(descending)}`)
  const rows = sql<{
    id: number
  }>`select t.id as id from tag t where ${sql.join(where, sql` and `)} order by ${sql.join([...by, sql`t.id${way(order.descending)}`])} limit ${limit + 1} offset ${skip}`
  const ids = await db.select<{ id: number }>(rows.compile(db.dialect.builder))
  const tags: StoredTag[] = []
  for (const { id } of ids.slice(0, limit)) tags.push((await findTagByRow(db, id))!)
  return { tags, next: ids.length > limit ? cursorOf(tags.at(-1)!) : undefined }
}

export async function countTags(db: Db, plan: FilterPlan): Promise<number> {
  const counted = sql<{
    n: number
  }>`select count(*) as n from tag t where ${sql.join([sql`t.deleted_at is null`, ...known(db), sql`${tagFilterToSql(await evaluateRegexes(db, plan, { table: 'tag' }), db.dialect, 't')}`], sql` and `)}`
  const [row] = await db.select<{ n: number }>(counted.compile(db.dialect.builder))
  return row!.n
}

/** Which tags there are for a caller who does not know all. */
function known(db: Db): RawBuilder<SqlBool>[] {
  const tags = knownTags(db)
  return tags === undefined ? [] : [sql`t.id in ${db.dialect.integers(tags)}`]
}

const way = (descending: boolean) => (descending ? sql` desc` : sql``)

export const cursorOf = ({ tag_id }: StoredTag): string => Buffer.from(tag_id).toString('base64url')

/** The cursor names the last tag of its page; its place is looked up, also when it is deleted since. */
async function isAfter(db: Db, { keys, descending }: TagOrder, cursor: string) {
  const tag_id = parseUlid(Buffer.from(cursor, 'base64url').toString('latin1'))
  const row = tag_id === null ? undefined : await db.get(orderRow, { tag_id })
  if (!row || !isKnownTag(db, row.id))
    throw badRequest('after: not a cursor of this search', {
      suggestion: 'Give X-Next-Cursor (next.after) of the page before, with the same filter and sort',
      details: { errors: [{ path: 'after', message: 'not a cursor of this search' }] },
    })
  const beyond = (down: boolean) => (down ? sql`<` : sql`>`)
  return keys.reduceRight(
    (rest, { column, descending: down }) => {
      const key = sql.ref(`t.${column}`)
      return sql<SqlBool>`(${key} ${beyond(down)} ${row[column]} or (${key} = ${row[column]} and ${rest}))`
    },
    sql<SqlBool>`t.id ${beyond(descending)} ${row.id}`,
  )
}
