import { mayUnshare, ownView, readableView } from '#src/operations/views/own-view.ts'
import type { Conditional } from '#src/runtime/operation.ts'
import { viewText } from '#src/operations/views/view-answer.ts'

/** A change that is meant for one state of a view (additions §5). */
export const viewState: Conditional = {
  present: async ({ db, caller }, { view_id }) => {
    const view = await readableView(db, caller, String(view_id))
    return JSON.parse(
      await viewText(db, caller, mayUnshare(caller, view) ? view : await ownView(db, caller, view.view_id)),
    )
  },
}
