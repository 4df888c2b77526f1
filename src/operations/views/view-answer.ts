import { type Caller, userOf } from '#src/domain/caller.ts'
import type { Db } from '#src/sql/query.ts'
import { watchesOf } from '#src/storage/notifications/watches.ts'
import { viewJson, type ViewRow } from '#src/storage/views/views.ts'

/** How views leave to a caller: with what the caller is told of each. */
export async function viewTexts(db: Db, caller: Caller): Promise<(view: ViewRow) => string> {
  const watches = await watchesOf(db, userOf(caller))
  return (view) => viewJson(view, watches.get(view.view_id))
}

export const viewText = async (db: Db, caller: Caller, view: ViewRow): Promise<string> =>
  (await viewTexts(db, caller))(view)
