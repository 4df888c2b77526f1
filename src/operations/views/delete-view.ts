import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { ownView } from '#src/operations/views/own-view.ts'
import { View, ViewId } from '#src/operations/views/view-schemas.ts'
import { viewState, viewText } from '#src/operations/views/view-answer.ts'
import { removeView } from '#src/storage/views/views.ts'

export const deleteView = defineOperation({
  name: 'deleteView',
  summary: 'Delete one of your views, for good; the items in it stay.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  conditional: viewState,
  rest: 'DELETE /api/views/{view_id}',
  tool: 'delete_view',
  hints: { destructive: true },
  input: Type.Object({ view_id: ViewId }, { additionalProperties: false }),
  output: View,
  errors: ['NotFound', 'Forbidden'],
  example: { input: { view_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' } },
  async run({ db, caller }, { view_id }) {
    const view = await ownView(db, caller, view_id)
    const text = await viewText(db, caller, view)
    await removeView(db, view.view_id)
    return new Reply(text)
  },
})
