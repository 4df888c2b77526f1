import { sql } from 'kysely'
import type { TagRenames } from '#src/domain/tag-renames.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { renameInFilter } from '#src/filter/language/rename-in-filter.ts'
import { type Db, query } from '#src/sql/query.ts'
import { renameInLimits } from '#src/storage/accounts/limits.ts'

/** What keeps a filter. */
const TABLES = ['view', 'waiting_view', 'webhook'] as const

/** Rows whose filter may speak of a tag: its id is in it. */
const naming = (table: (typeof TABLES)[number]) =>
  query((p: { part: string }, db) =>
    db
      .selectFrom(table)
      .select(['id', 'filter'])
      .where('filter', 'like', p.part)
      .orderBy('id')
      .$narrowType<{ filter: string }>(),
  )
const setFilter = (table: (typeof TABLES)[number]) =>
  query((p: { id: number; filter: string; now: string }, db, dialect) =>
    db
      .updateTable(table)
      .set({ filter: p.filter, updated_at: dialect.later(sql.ref('updated_at'), p.now) })
      .where('id', '=', p.id),
  )
const STATEMENTS = TABLES.map((table) => ({ naming: naming(table), setFilter: setFilter(table) }))

/** The filters of everybody's views, of webhooks, and of limits follow when fields or variants of a tag get other names (additions §8). */
export async function renameInStoredFilters(
  db: Db,
  tag_id: Ulid,
  renames: TagRenames,
  now: Date,
): Promise<void> {
  await renameInLimits(db, tag_id, renames)
  for (const statements of STATEMENTS)
    for (const { id, filter } of await db.all(statements.naming, { part: `%${tag_id}%` })) {
      const stored: unknown = JSON.parse(filter)
      const renamed = renameInFilter(stored, tag_id, renames)
      if (renamed === stored) continue
      await db.enqueue(statements.setFilter, { id, filter: JSON.stringify(renamed), now: now.toISOString() })
    }
}
