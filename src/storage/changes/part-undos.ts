import type { PastEvent } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { EVENT_COLUMNS, readEvent, readShort, unreadEvent } from '#src/storage/changes/past-events.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'

const touched = query((p: { ids: string; after: Ulid }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .innerJoin('change', 'change.change_id', 'audit_event.change_id')
    .select(['audit_event.item_id', 'change.change_id', 'change.undoes'])
    .distinct()
    .where('audit_event.item_id', 'in', dialect.texts(p.ids))
    .where('change.change_id', '>', p.after)
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

/** An undo that had to do with an item. */
export interface UndoAtItem {
  item_id: Ulid
  /** Of the undo. */
  change_id: Ulid
  /**
   * What it did there, and what the changes had done there that it took back wholly; both oldest first. Null: it names
   * no such change, so it took back a part.
   */
  did: { by_undo: PastEvent[]; undone: PastEvent[] } | null
}

/** Items of undos whose events are read at once. */
const MAX_READ = 10_000

/**
 * The undos after an event, by calls of their own, that had to do with the items; those that name changes are left out
 * where there are too many of them to be read.
 */
export async function undosAtItems(db: Db, item_ids: readonly Ulid[], after: Ulid): Promise<UndoAtItem[]> {
  if (!item_ids.length) return []
  await requireWholeLog(db)
  const rows = await db.all(touched, { ids: JSON.stringify(item_ids), after })
  const undos: UndoAtItem[] = []
  const naming: { item_id: Ulid; change_id: Ulid; undoes: Ulid[] }[] = []
  for (const { item_id, change_id, undoes } of rows)
    if (undoes === null) undos.push({ item_id: item_id!, change_id, did: null })
    else naming.push({ item_id: item_id!, change_id, undoes: JSON.parse(undoes) as Ulid[] })
  if (!naming.length || naming.length > MAX_READ) return undos
  const found = await db.all(within, {
    items: JSON.stringify([...new Set(naming.map(({ item_id }) => item_id))]),
    changes: JSON.stringify([...new Set(naming.flatMap(({ change_id, undoes }) => [change_id, ...undoes]))]),
  })
  const events: PastEvent[] = []
  for (const row of found) events.push(await readEvent(db, unreadEvent(row)))
  const byItem = Map.groupBy(events, ({ item_id }) => item_id!)
  for (const { item_id, change_id, undoes } of naming) {
    const own = byItem.get(item_id) ?? []
    const did = {
      by_undo: own.filter((event) => event.change_id === change_id),
      undone: own.filter((event) => undoes.includes(event.change_id)),
    }
    undos.push({ item_id, change_id, did })
  }
  return undos
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
