import { Type } from 'typebox'
import { Role } from '#src/operations/schemas/account.ts'
import { changeUser } from '#src/operations/account/users/user-steps.ts'
import { EXAMPLE_MANAGED, ManagedUser, UserId } from '#src/operations/account/users/user-schemas.ts'
import { waysInOf } from '#src/operations/account/users/ways-in.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const updateUser = defineOperation({
  name: 'updateUser',
  summary: 'Give an account another role, or disable it, or let it in again.',
  description:
    'A disabled account cannot sign in; its sessions, keys and open streams end at once, and stay ended. ' +
    'The last owner who can sign in can be neither lowered nor disabled.',
  access: 'user',
  needs: 'owner',
  effect: 'compose',
  rest: 'PUT /api/users/{user_id}',
  input: Type.Object(
    { user_id: UserId, role: Type.Optional(Role), disabled: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  ignores: Object.keys(ManagedUser.properties),
  output: ManagedUser,
  errors: ['NotFound', 'Conflict'],
  example: { input: { user_id: EXAMPLE_MANAGED.user_id, role: 'reader' }, output: EXAMPLE_MANAGED },
  async run({ call, services }, { user_id, ...change }) {
    const { user, ended } = await call(changeUser, {
      who: user_id,
      ...change,
      ways: waysInOf(services.config),
    })
    services.sessions.ended(ended)
    return user
  },
})
