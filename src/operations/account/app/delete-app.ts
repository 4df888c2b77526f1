import { Type } from 'typebox'
import { Message } from '#src/operations/schemas/account.ts'
import { AppId } from '#src/operations/account/app/app-schemas.ts'
import { removeApp } from '#src/operations/account/app/app-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const deleteApp = defineOperation({
  name: 'deleteApp',
  summary: 'End what an app may do for you: its tokens and open streams end at once.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'DELETE /api/auth/apps/{app_id}',
  input: Type.Object({ app_id: AppId }, { additionalProperties: false }),
  output: Message,
  errors: ['NotFound'],
  example: { output: { message: 'App ended' } },
  async run({ call, services }, { app_id }) {
    const { ended } = await call(removeApp, { app_id })
    services.sessions.ended(ended)
    return { message: 'App ended' }
  },
})
