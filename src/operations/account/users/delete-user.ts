import { Type } from 'typebox'
import { Message } from '#src/operations/schemas/account.ts'
import { removeUser } from '#src/operations/account/users/user-steps.ts'
import { UserId } from '#src/operations/account/users/user-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const deleteUser = defineOperation({
  name: 'deleteUser',
  summary: 'Delete a disabled account for good, with its views, chats, keys and ways to sign in.',
  description: 'What it did stays in the logs under its id; its e-mail address is free again.',
  access: 'user',
  needs: 'owner',
  effect: 'compose',
  rest: 'DELETE /api/users/{user_id}',
  input: Type.Object({ user_id: UserId }, { additionalProperties: false }),
  output: Message,
  errors: ['NotFound', 'Conflict'],
  example: { output: { message: 'Account deleted' } },
  async run({ call, services }, { user_id }) {
    const { ended } = await call(removeUser, { who: user_id })
    services.sessions.ended(ended)
    return { message: 'Account deleted' }
  },
})
