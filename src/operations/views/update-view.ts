import { viewState } from '#src/operations/views/view-state.ts'
import { laterThan } from '#src/domain/precondition.ts'
import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { sameJson } from '#src/domain/same-json.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { ownView } from '#src/operations/views/own-view.ts'
import { storedFilter } from '#src/operations/views/stored-filter.ts'
import { Icon, View, ViewId, viewInput, ViewType } from '#src/operations/views/view-schemas.ts'
import { updateViewRow, viewJson } from '#src/storage/views/views.ts'

export const updateView = defineOperation({
  name: 'updateView',
  summary:
    'Change one of your views: name, icon and filter are all given again; what else is left out stays.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  conditional: viewState,
  rest: 'PUT /api/views/{view_id}',
  tool: 'update_view',
  hints: { idempotent: true },
  input: Type.Object(
    { view_id: ViewId, ...viewInput, icon: Icon, view_type: Type.Optional(ViewType) },
    { additionalProperties: false },
  ),
  output: View,
  ignores: ['view_id', 'id', 'user_id', 'created_at', 'updated_at'],
  errors: ['NotFound', 'Forbidden'],
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
    const old = await ownView(db, caller, view_id)
    // What was read can be sent back, also when a tag in it has been deleted since.
    const { filter, warnings } = sameJson(given, JSON.parse(old.filter))
      ? { filter: old.filter, warnings: [] }
      : await storedFilter(context, given)
    const view = {
      ...old,
      name,
      icon,
      filter,
      settings: settings === undefined ? old.settings : JSON.stringify(settings),
      shared: shared === undefined ? old.shared : Number(shared),
      position: position === undefined ? old.position : position,
    }
    const changed = viewJson(view) !== viewJson(old)
    if (changed) {
      view.updated_at = laterThan(old.updated_at, now)
      await updateViewRow(db, view)
    }
    return new Reply(viewJson(view), { warnings: [...warnings] })
  },
})
