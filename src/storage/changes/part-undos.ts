import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'

// The undo of a part which left something over names no change that it took back.
const touched = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .innerJoin('change', 'change.change_id', 'audit_event.change_id')
    .select('audit_event.item_id')
    .distinct()
    .where('audit_event.item_id', 'in', dialect.texts(p.ids))
    .where('change.operation', '=', 'undoChanges')
    .where('change.undoes', 'is', null),
)

/** Those of the items at which the undo of a part of a change took something back. */
export async function itemsOfPartUndos(db: Db, item_ids: readonly Ulid[]): Promise<Set<Ulid>> {
  if (!item_ids.length) return new Set()
  await requireWholeLog(db)
  const rows = await db.all(touched, { ids: JSON.stringify(item_ids) })
  return new Set(rows.flatMap(({ item_id }) => item_id ?? []))
}
