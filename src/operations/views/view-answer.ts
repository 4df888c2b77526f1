import { type Caller, userOf } from '#src/domain/caller.ts'
import { mayUnshare, ownView, readableView } from '#src/operations/views/own-view.ts'
import type { Conditional } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { watchesOf } from '#src/storage/notifications/watches.ts'
import { viewJson, type ViewRow } from '#src/storage/views/views.ts'

/** A change that is meant for one state of a view (additions §5). */
export const viewState: Conditional = {
  present: async ({ db, caller }, { view_id }) => {
    const view = await readableView(db, caller, String(view_id))
    return JSON.parse(
      await viewText(db, caller, mayUnshare(caller, view) ? view : await ownView(db, caller, view.view_id)),
    )
  },
}

/** How views leave to a caller: with what is shown to the caller of each. */
export async function viewTexts(db: Db, caller: Caller): Promise<(view: ViewRow) => string> {
  const watches = await watchesOf(db, userOf(caller))
  return (view) => viewJson(view, watches.get(view.view_id))
}

export const viewText = async (db: Db, caller: Caller, view: ViewRow): Promise<string> =>
  (await viewTexts(db, caller))(view)
