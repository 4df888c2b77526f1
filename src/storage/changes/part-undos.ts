import type { PastEvent } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { EVENT_COLUMNS, readEvent, unreadEvent } from '#src/storage/changes/past-events.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'

// The undo of a part of one change which left something over names no change that it took back.
const touched = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .innerJoin('change', 'change.change_id', 'audit_event.change_id')
    .select(['audit_event.item_id', 'change.change_id', 'change.undoes'])
    .distinct()
    .where('audit_event.item_id', 'in', dialect.texts(p.ids))
    .where('change.operation', '=', 'undoChanges'),
)

/** What an undo did at an item, and what the changes had done there that it took back wholly; both oldest first. */
export interface UndoAtItem {
  item_id: Ulid
  by_undo: PastEvent[]
  undone: PastEvent[]
}

export interface UndosAtItems {
  /** Items at which the undo of a part took something back that named no change. */
  parts: Set<Ulid>
  /** Undos at the others, of whole changes and maybe of parts. */
  others: UndoAtItem[]
}

/** The undos, by calls of their own, that had to do with the items. */
export async function undosAtItems(db: Db, item_ids: readonly Ulid[]): Promise<UndosAtItems> {
  if (!item_ids.length) return { parts: new Set(), others: [] }
  await requireWholeLog(db)
  const rows = await db.all(touched, { ids: JSON.stringify(item_ids) })
  const parts = new Set(rows.flatMap(({ item_id, undoes }) => (undoes === null && item_id) || []))
  const rest = rows.flatMap(({ item_id, change_id, undoes }) =>
    item_id && undoes !== null && !parts.has(item_id)
      ? [{ item_id, change_id, undoes: JSON.parse(undoes) as Ulid[] }]
      : [],
  )
  const events = await eventsAt(
    db,
    rest.map(({ item_id }) => item_id),
    rest.flatMap(({ change_id, undoes }) => [change_id, ...undoes]),
  )
  const others = rest.map(({ item_id, change_id, undoes }) => {
    const own = events.get(item_id) ?? []
    return {
      item_id,
      by_undo: own.filter((event) => event.change_id === change_id),
      undone: own.filter((event) => undoes.includes(event.change_id)),
    }
  })
  return { parts, others }
}

const within = query((p: { items: string; changes: string }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('item_id', 'in', dialect.texts(p.items))
    .where('change_id', 'in', dialect.texts(p.changes))
    .orderBy('event_id'),
)

async function eventsAt(
  db: Db,
  item_ids: readonly Ulid[],
  change_ids: readonly Ulid[],
): Promise<Map<Ulid, PastEvent[]>> {
  if (!item_ids.length) return new Map()
  const items = JSON.stringify([...new Set(item_ids)])
  const rows = await db.all(within, { items, changes: JSON.stringify([...new Set(change_ids)]) })
  const events: PastEvent[] = []
  for (const row of rows) events.push(await readEvent(db, unreadEvent(row)))
  return Map.groupBy(events, ({ item_id }) => item_id!)
}
