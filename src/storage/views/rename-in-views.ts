import { sql } from 'kysely'
import type { TagRenames } from '#src/domain/tag-renames.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { renameInFilter } from '#src/filter/language/rename-in-filter.ts'
import { type Db, query } from '#src/sql/query.ts'

const TABLES = ['view', 'waiting_view'] as const

/** Views whose filter may speak of a tag: its id stands in it. */
const naming = (table: (typeof TABLES)[number]) =>
  query((p: { part: string }, sql) =>
    sql.selectFrom(table).select(['view_id', 'filter']).where('filter', 'like', p.part).orderBy('view_id'),
  )
const setFilter = (table: (typeof TABLES)[number]) =>
  query((p: { view_id: Ulid; filter: string; now: string }, db, dialect) =>
    db
      .updateTable(table)
      .set({ filter: p.filter, updated_at: dialect.later(sql.ref('updated_at'), p.now) })
      .where('view_id', '=', p.view_id),
  )
const STATEMENTS = TABLES.map((table) => ({ naming: naming(table), setFilter: setFilter(table) }))

/** The filters of everybody's views follow when fields or variants of a tag get other names (additions §8). */
export async function renameInViews(db: Db, tag_id: Ulid, renames: TagRenames, now: Date): Promise<void> {
  for (const statements of STATEMENTS)
    for (const { view_id, filter } of await db.all(statements.naming, { part: `%${tag_id}%` })) {
      const stored: unknown = JSON.parse(filter)
      const renamed = renameInFilter(stored, tag_id, renames)
      if (renamed === stored) continue
      const text = JSON.stringify(renamed)
      await db.post(statements.setFilter, { view_id, filter: text, now: now.toISOString() })
    }
}
