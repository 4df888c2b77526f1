import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { logPage, SecurityEvent } from '#src/operations/account/users/log-schemas.ts'
import { PageById } from '#src/operations/page-by-id.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const listActivity = defineOperation({
  name: 'listActivity',
  summary: 'What happened to your account: sign-ins, keys, changes of the ways in; newest first.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/auth/activity',
  paged: true,
  input: PageById,
  output: Type.Array(SecurityEvent),
  run: (context, page) => logPage(context, userOf(context.caller), page),
})
