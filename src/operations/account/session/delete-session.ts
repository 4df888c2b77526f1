import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { Message } from '#src/operations/schemas/account.ts'
import { endOwnSession } from '#src/operations/account/session/session-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Id } from '#src/operations/schemas/inputs.ts'

export const deleteSession = defineOperation({
  name: 'deleteSession',
  summary: 'End one of your sessions; what it holds open ends at once.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'DELETE /api/auth/sessions/{session_id}',
  input: Type.Object({ session_id: Id('Id of the session') }, { additionalProperties: false }),
  output: Message,
  errors: ['NotFound'],
  example: { output: { message: 'Session ended' } },
  async run({ caller, call, services }, { session_id }) {
    const { ended } = await call(endOwnSession, { session_id })
    services.sessions.ended(ended)
    const current = ended.includes(caller.token_hash!)
    return Reply.of({ message: 'Session ended' }, current ? { session_change: 'ended' } : undefined)
  },
})
