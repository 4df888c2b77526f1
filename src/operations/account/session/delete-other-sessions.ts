import { Type } from 'typebox'
import { endOtherSessions } from '#src/operations/account/session/session-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const deleteOtherSessions = defineOperation({
  name: 'deleteOtherSessions',
  summary: 'End all of your sessions but this one.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'DELETE /api/auth/sessions',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ ended: Type.Integer() }),
  example: { output: { ended: 2 } },
  async run({ call, services }) {
    const { ended } = await call(endOtherSessions, {})
    services.sessions.ended(ended)
    return { ended: ended.length }
  },
})
