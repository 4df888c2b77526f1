import { userOf } from '#src/domain/caller.ts'
import { mayUnshare, readableView } from '#src/operations/views/own-view.ts'
import { defineStep } from '#src/runtime/operation.ts'

/** Whether a change of the view is one that only owners make: that somebody else shares it no more. @throws NotFound */
export const isUnsharing = defineStep({
  name: 'isUnsharing',
  effect: 'read',
  inline: true,
  async run({ db, caller }, { view_id }: { view_id: string }): Promise<boolean> {
    const view = await readableView(db, caller, view_id)
    return view.user_id !== userOf(caller) && mayUnshare(caller, view)
  },
})
