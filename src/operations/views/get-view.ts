import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { readableView } from '#src/operations/views/own-view.ts'
import { View, ViewId } from '#src/operations/views/view-schemas.ts'
import { viewState, viewText } from '#src/operations/views/view-answer.ts'

export const getView = defineOperation({
  name: 'getView',
  summary:
    'Read a view of your own, or one that is shared; give its filter to get_items to see what is in it.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  conditional: viewState,
  inline: true,
  rest: 'GET /api/views/{view_id}',
  tool: 'get_view',
  input: Type.Object({ view_id: ViewId }, { additionalProperties: false }),
  output: View,
  errors: ['NotFound'],
  example: { input: { view_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' } },
  async run({ db, caller }, { view_id }) {
    return new Reply(await viewText(db, caller, await readableView(db, caller, view_id)))
  },
})
