import { laterThan } from '#src/domain/precondition.ts'
import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { forbidden } from '#src/domain/errors.ts'
import { jsonUpTo, MAX_KEPT_JSON } from '#src/domain/up-to.ts'
import { Reply } from '#src/domain/reply.ts'
import { sameJson } from '#src/domain/same-json.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import { mayUnshare, ownView, readableView } from '#src/operations/views/own-view.ts'
import { checkRoom, storedFilter } from '#src/operations/views/store-view.ts'
import { isUnsharing } from '#src/operations/views/view-steps.ts'
import { Icon, View, ViewId, viewInput, ViewType } from '#src/operations/views/view-schemas.ts'
import { dropWatchesOfOthers, refilterWatches } from '#src/storage/notifications/watches.ts'
import { viewState, viewText } from '#src/operations/views/view-answer.ts'
import { newestSeen } from '#src/storage/live/log-window.ts'
import { keepViewFilter } from '#src/storage/views/view-filters.ts'
import { updateViewRow, viewJson, type ViewRow } from '#src/storage/views/views.ts'

/** A view of the caller's own, or one whose sharing they may end. */
async function viewToChange({ db, caller }: SqlContext, view_id: string): Promise<ViewRow> {
  const view = await readableView(db, caller, view_id)
  return mayUnshare(caller, view) ? view : ownView(db, caller, view_id)
}

/** What was kept before there was a limit can be sent back. */
const settingsAfter = (old: ViewRow, given: Record<string, unknown> | undefined): string =>
  given === undefined || sameJson(given, JSON.parse(old.settings))
    ? old.settings
    : jsonUpTo(given, 'settings', MAX_KEPT_JSON)

/** @throws Forbidden where an owner asks for more of somebody else's view than that it is shared no more */
function checkUnshares(old: ViewRow, view: ViewRow): void {
  if (viewJson({ ...view, shared: 0 }) === viewJson({ ...old, shared: 0 }) && !view.shared) return
  throw forbidden("Of somebody else's view an owner changes one thing: that it is shared no more", {
    suggestion: 'Send the view back as it was read, with "shared": false',
  })
}

export const updateView = defineOperation({
  name: 'updateView',
  summary:
    'Change one of your views: name, icon and filter are all given again; what else is left out stays.',
  description:
    'An owner may end that somebody else shares a view: it is sent back as it was read, with `"shared": false`, by a session that has proved itself within the last 10 minutes.',
  tool_description: '',
  access: 'user',
  needs: 'own',
  effect: 'write',
  changes_as_owner: isUnsharing,
  conditional: viewState,
  rest: 'PUT /api/views/{view_id}',
  tool: 'update_view',
  hints: { destructive: true, idempotent: true },
  input: Type.Object(
    { view_id: ViewId, ...viewInput, icon: Icon, view_type: Type.Optional(ViewType) },
    { additionalProperties: false },
  ),
  output: View,
  ignores: ['view_id', 'id', 'user_id', 'watch', 'created_at', 'updated_at'],
  errors: ['NotFound', 'Forbidden', 'Conflict'],
  example: {
    input: {
      view_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
      name: 'Open tasks',
      icon: '✅',
      filter: { 'Task.status': { match: 'open' } },
    },
  },
  async run(context, { view_id, name, icon, filter: given, settings, shared, position }) {
    const { db, caller, now } = context
    const old = await viewToChange(context, view_id)
    // What was read can be sent back, also when a tag in it has been deleted since.
    const { filter, warnings } = sameJson(given, JSON.parse(old.filter))
      ? { filter: old.filter, warnings: [] }
      : await storedFilter(context, given)
    const view = {
      ...old,
      name,
      icon,
      filter,
      settings: settingsAfter(old, settings),
      shared: shared === undefined ? old.shared : Number(shared),
      position: position === undefined ? old.position : position,
    }
    if (old.user_id !== userOf(caller)) checkUnshares(old, view)
    const changed = viewJson(view) !== viewJson(old)
    if (changed) {
      if (view.filter.length > old.filter.length) await checkRoom(db, view)
      view.updated_at = laterThan(old.updated_at, now)
      await updateViewRow(db, view)
      if (view.filter !== old.filter) {
        await keepViewFilter(db, { ...old, until_event: await newestSeen(db) })
        await refilterWatches(db, view.view_id, view.filter)
      }
      if (!view.shared) await dropWatchesOfOthers(db, view)
    }
    return new Reply(await viewText(db, caller, view), { warnings: [...warnings] })
  },
})
