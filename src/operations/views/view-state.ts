import { ownView } from '#src/operations/views/own-view.ts'
import type { Conditional } from '#src/runtime/operation.ts'
import { viewJson } from '#src/storage/views/views.ts'

/** A change that is meant for one state of a view (additions §5). */
export const viewState: Conditional = {
  present: async ({ db, caller }, { view_id }) =>
    JSON.parse(viewJson(await ownView(db, caller, String(view_id)))),
}
