import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { jsonUpTo, MAX_KEPT_JSON } from '#src/domain/up-to.ts'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { checkRoom, storedFilter } from '#src/operations/views/store-view.ts'
import { DEFAULT_ICON, Icon, View, viewInput, ViewType } from '#src/operations/views/view-schemas.ts'
import { insertView, viewJson } from '#src/storage/views/views.ts'

export const createView = defineOperation({
  name: 'createView',
  summary: 'Save a filter as a view of your own.',
  description: 'Tag names are stored as ids, so the view goes on working when its tags are renamed.',
  tool_description: 'It goes on working when its tags are renamed.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  rest: 'POST /api/views',
  tool: 'create_view',
  input: Type.Object(
    { ...viewInput, icon: Type.Optional(Icon), view_type: Type.Optional(ViewType) },
    { additionalProperties: false },
  ),
  output: View,
  errors: ['Conflict'],
  example: {
    input: {
      name: 'Open tasks',
      filter: { 'Task.status': { match: 'open' } },
      settings: { sort_by: 'name' },
    },
  },
  async run(context, given) {
    const { db, caller, now, newId } = context
    const { name, icon = DEFAULT_ICON, shared = false, position = null } = given
    const user_id = userOf(caller)
    const settings = jsonUpTo(given.settings ?? {}, 'settings', MAX_KEPT_JSON)
    const { filter, warnings } = await storedFilter(context, given.filter)
    const created_at = now.toISOString()
    const view = {
      view_id: newId(),
      user_id,
      name,
      icon,
      filter,
      view_type: 'list',
      settings,
      created_at,
      updated_at: created_at,
      shared: Number(shared),
      position,
    }
    await checkRoom(db, view)
    await insertView(db, view)
    return new Reply(viewJson(view), { warnings: [...warnings] })
  },
})
