import { Type } from 'typebox'
import type { Caller } from '#src/domain/caller.ts'
import { EXAMPLE_MANAGED, ManagedUser, NamedUser } from '#src/operations/account/users/user-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { pageById, PageById } from '#src/operations/page-by-id.ts'
import { usersAfter, type UserOrDeleted } from '#src/storage/accounts/users.ts'

export const listUsers = defineOperation({
  name: 'listUsers',
  summary: 'List who has an account here, oldest first, deleted ones too; owners see more of each.',
  access: 'user',
  effect: 'read',
  rest: 'GET /api/users',
  paged: true,
  input: PageById,
  output: Type.Array(Type.Union([ManagedUser, NamedUser])),
  example: { output: [EXAMPLE_MANAGED] },
  run: (context, page) =>
    pageById<UserOrDeleted>(context, page, {
      read: (after, limit) => usersAfter(context.db, after, limit),
      idOf: ({ user_id }) => user_id,
      textOf: (user) => JSON.stringify(shownTo(context.caller, user)),
    }),
})

function shownTo({ role }: Caller, user: UserOrDeleted) {
  if (!('email' in user)) return { user_id: user.user_id, display_name: '(deleted)', disabled: true }
  if (role === 'owner') return user
  const { user_id, display_name, disabled } = user
  return { user_id, display_name, disabled }
}
