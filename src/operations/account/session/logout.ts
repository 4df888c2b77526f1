import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { Message } from '#src/operations/schemas/account.ts'
import { endSession } from '#src/operations/account/session/session-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const logout = defineOperation({
  name: 'logout',
  summary: 'Sign out: end this session.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'POST /api/auth/logout',
  input: Type.Object({}, { additionalProperties: false }),
  output: Message,
  example: { output: { message: 'Signed out' } },
  async run({ caller, call, services }) {
    const { ended } = await call(endSession, { token_hash: caller.session!.token_hash })
    services.sessions.ended(ended)
    return Reply.of({ message: 'Signed out' }, { session_change: 'ended' })
  },
})
