import { Type } from 'typebox'
import { EXAMPLE_MANAGED, ManagedUser, NamedUser } from '#src/operations/account/users/user-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { allUsers, deletedUsers } from '#src/storage/accounts/users.ts'

export const listUsers = defineOperation({
  name: 'listUsers',
  summary: 'List who has an account here, oldest first, deleted ones too; owners are told more of each.',
  access: 'user',
  effect: 'read',
  rest: 'GET /api/users',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(Type.Union([ManagedUser, NamedUser])),
  example: { output: [EXAMPLE_MANAGED] },
  async run({ db, caller }) {
    const users = await allUsers(db)
    const living =
      caller.role === 'owner'
        ? users
        : users.map(({ user_id, display_name, disabled }) => ({ user_id, display_name, disabled }))
    const deleted = (await deletedUsers(db)).map((user_id) => ({
      user_id,
      display_name: '(deleted)',
      disabled: true,
    }))
    return [...living, ...deleted].toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1))
  },
})
