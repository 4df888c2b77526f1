import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

/** A change as undo sees it. */
export interface StoredChange {
  change_id: Ulid
  last_event: Ulid
  /** The changes that it took back. */
  undoes: Ulid[]
  undone_by: Ulid | null
  /** Number of its events. */
  events: number
}

const byIds = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('change')
    .select(['change_id', 'last_event', 'undoes', 'undone_by', 'counts'])
    .where('change_id', 'in', dialect.texts(p.ids))
    .orderBy('change_id', 'desc'),
)

interface Row {
  change_id: Ulid
  last_event: Ulid
  undoes: string | null
  undone_by: Ulid | null
  counts: string
}

/** Newest first; ids of no change are left out. */
export async function changesOf(db: Db, ids: readonly Ulid[]): Promise<StoredChange[]> {
  return (await db.all(byIds, { ids: JSON.stringify(ids) })).map(readChange)
}

export const readChange = ({ change_id, last_event, undoes, undone_by, counts }: Row): StoredChange => ({
  change_id,
  last_event,
  undoes: undoes === null ? [] : (JSON.parse(undoes) as Ulid[]),
  undone_by,
  events: Object.values(JSON.parse(counts) as Record<string, number>).reduce((sum, each) => sum + each, 0),
})

const setUndone = query((p: { ids: string; by: Ulid | null }, sql, dialect) =>
  sql.updateTable('change').set({ undone_by: p.by }).where('change_id', 'in', dialect.texts(p.ids)),
)

/**
 * Notes that a change has taken others back. What those had taken back themselves is in force again, and so on: of
 * changes and undoings that follow one another each second one is in force.
 */
export async function markUndone(db: Db, undone: readonly Ulid[], by: Ulid): Promise<void> {
  const given = new Set(undone)
  let marks = new Map<Ulid, Ulid | null>(undone.map((id) => [id, by]))
  while (marks.size) {
    for (const [mark, ids] of Map.groupBy(marks.keys(), (id) => marks.get(id)!))
      await db.run(setUndone, { ids: JSON.stringify(ids), by: mark })
    const next = new Map<Ulid, Ulid | null>()
    for (const change of await changesOf(db, [...marks.keys()]))
      for (const id of change.undoes)
        if (!given.has(id)) next.set(id, marks.get(change.change_id) === null ? change.change_id : null)
    marks = next
  }
}
