import { mayUnshare, ownView, readableView } from '#src/operations/views/own-view.ts'
import type { Conditional } from '#src/runtime/operation.ts'
import { viewJson } from '#src/storage/views/views.ts'

/** A change that is meant for one state of a view (additions §5). */
export const viewState: Conditional = {
  present: async ({ db, caller }, { view_id }) => {
    const view = await readableView(db, caller, String(view_id))
    return JSON.parse(viewJson(mayUnshare(caller, view) ? view : await ownView(db, caller, view.view_id)))
  },
}
