import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { Code, GivenPassword, Message } from '#src/operations/schemas/account.ts'
import { proveOrBeFresh } from '#src/operations/account/session/prove.ts'
import { removeOwnAccount } from '#src/operations/account/profile/profile-steps.ts'
import { waysInOf } from '#src/operations/account/users/ways-in.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const deleteMe = defineOperation({
  name: 'deleteMe',
  summary: 'Delete your account for good, with its views, chats, keys and ways to sign in.',
  description:
    'With the current password or a TOTP code; an account that has neither signs in again first. ' +
    'What you did stays in the logs under your id. Not for the last owner.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'DELETE /api/auth/me',
  input: Type.Object(
    { current_password: Type.Optional(GivenPassword), code: Type.Optional(Code) },
    { additionalProperties: false },
  ),
  output: Message,
  errors: ['Conflict', 'TooManyRequests'],
  example: { input: { current_password: 'correct horse battery' }, output: { message: 'Account deleted' } },
  async run(context, proof) {
    const { call, services } = context
    await proveOrBeFresh(context, proof)
    const { ended } = await call(removeOwnAccount, { ways: waysInOf(services.config) })
    services.sessions.ended(ended)
    return Reply.of({ message: 'Account deleted' }, { session_change: 'ended' })
  },
})
