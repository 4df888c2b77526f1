import type { PastEvent } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { EVENT_COLUMNS, readEvent, readShort, unreadEvent } from '#src/storage/changes/past-events.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'

const touched = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .innerJoin('change', 'change.change_id', 'audit_event.change_id')
    .select(['audit_event.item_id', 'change.change_id', 'change.undoes'])
    .distinct()
    .where('audit_event.item_id', 'in', dialect.texts(p.ids))
    .where('change.operation', '=', 'undoChanges'),
)

const within = query((p: { items: string; changes: string }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('item_id', 'in', dialect.texts(p.items))
    .where('change_id', 'in', dialect.texts(p.changes))
    .orderBy('event_id'),
)

/** What an undo did at an item, and what the changes had done there that it took back wholly; both oldest first. */
export interface UndoAtItem {
  item_id: Ulid
  /** Of the undo. */
  change_id: Ulid
  by_undo: PastEvent[]
  undone: PastEvent[]
}

/** The undos, by calls of their own, that had to do with the items. */
export async function undosAtItems(db: Db, item_ids: readonly Ulid[]): Promise<UndoAtItem[]> {
  if (!item_ids.length) return []
  await requireWholeLog(db)
  const rows = (await db.all(touched, { ids: JSON.stringify(item_ids) })).map((row) => ({
    item_id: row.item_id!,
    change_id: row.change_id,
    undoes: row.undoes === null ? [] : (JSON.parse(row.undoes) as Ulid[]),
  }))
  const found = await db.all(within, {
    items: JSON.stringify([...new Set(rows.map(({ item_id }) => item_id))]),
    changes: JSON.stringify([...new Set(rows.flatMap(({ change_id, undoes }) => [change_id, ...undoes]))]),
  })
  const events: PastEvent[] = []
  for (const row of found) events.push(await readEvent(db, unreadEvent(row)))
  const byItem = Map.groupBy(events, ({ item_id }) => item_id!)
  return rows.map(({ item_id, change_id, undoes }) => {
    const own = byItem.get(item_id) ?? []
    return {
      item_id,
      change_id,
      by_undo: own.filter((event) => event.change_id === change_id),
      undone: own.filter((event) => undoes.includes(event.change_id)),
    }
  })
}

/** Items whose events are read one item after the other. */
const MAX_ITEMS = 500

const newestOf = query((p: { item_id: Ulid; limit: number }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('item_id', '=', p.item_id)
    .orderBy('event_id', 'desc')
    .limit(p.limit),
)

/** The events of items, oldest first; of none where there are many items, nor of those with more events or long ones. */
export async function historiesOf(
  db: Db,
  item_ids: readonly Ulid[],
  max: number,
): Promise<Map<Ulid, PastEvent[]>> {
  const histories = new Map<Ulid, PastEvent[]>()
  if (item_ids.length > MAX_ITEMS) return histories
  await requireWholeLog(db)
  for (const item_id of item_ids) {
    const rows = await db.all(newestOf, { item_id, limit: max + 1 })
    const events = rows.flatMap((row) => readShort(unreadEvent(row)) ?? [])
    if (rows.length <= max && events.length === rows.length) histories.set(item_id, events.toReversed())
  }
  return histories
}
