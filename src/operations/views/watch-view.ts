import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { conflict } from '#src/domain/errors.ts'
import { cursorAt, momentAt, momentId } from '#src/operations/live/live-cursor.ts'
import { readableView } from '#src/operations/views/own-view.ts'
import { ViewId, Watch } from '#src/operations/views/view-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { newestSeen } from '#src/storage/live/log-window.ts'
import {
  dropWatch,
  isAnyWatched,
  moveWatchCursor,
  putWatch,
  watchBytesOf,
  watchesOf,
} from '#src/storage/notifications/watches.ts'

/** Views that an account watches at most. */
const MAX_WATCHES = 50
/** Of their filters, which each watch has its own copy of, others' views among them. */
const MAX_BYTES = 8 * 2 ** 20

export const watchView = defineOperation({
  name: 'watchView',
  summary: 'Be notified of what enters a view, changes in it or leaves it by others; all false ends that.',
  description:
    'For each event that is named `true`, `GET /api/notifications` has what others have done from then on, and what the ' +
    'time does. It ends with the view, or where the view is shared no more.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  rest: 'PUT /api/views/{view_id}/watch',
  hints: { idempotent: true },
  input: Type.Object({ view_id: ViewId, ...Type.Partial(Watch).properties }, { additionalProperties: false }),
  output: Watch,
  errors: ['NotFound', 'Conflict'],
  example: {
    input: { view_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', enter: true, leave: true },
    output: { enter: true, change: false, leave: true },
  },
  async run(
    { db, caller, now, change: made },
    { view_id: given, enter = false, change = false, leave = false },
  ) {
    const { view_id, filter } = await readableView(db, caller, given)
    const user_id = userOf(caller)
    const watch = { enter, change, leave }
    if (!enter && !change && !leave) {
      await dropWatch(db, { user_id, view_id })
      return watch
    }
    const own = await watchesOf(db, user_id)
    if (!own.has(view_id) && own.size >= MAX_WATCHES)
      throw conflict(`An account watches at most ${MAX_WATCHES} views`, {
        suggestion: 'End another watch with PUT /api/views/{view_id}/watch {}',
      })
    if (!own.has(view_id) && (await watchBytesOf(db, user_id)) + Buffer.byteLength(filter) > MAX_BYTES)
      throw conflict(
        `The filters of the views that an account watches take at most ${MAX_BYTES} bytes together`,
        {
          suggestion: 'End another watch with PUT /api/views/{view_id}/watch {}',
        },
      )
    const since = await newestSeen(db)
    // Nobody looks at the log while nobody watches.
    if (!(await isAnyWatched(db))) {
      await moveWatchCursor(db, momentId({ ...cursorAt(since), moment: momentAt(now.getTime()) }))
      made.rings = true
    }
    const [enters, changes, leaves] = [Number(enter), Number(change), Number(leave)]
    await putWatch(db, { user_id, view_id, enters, changes, leaves, since, filter })
    return watch
  },
})
