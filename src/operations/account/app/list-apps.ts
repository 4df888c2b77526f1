import { Type } from 'typebox'
import { App, EXAMPLE_APP } from '#src/operations/account/app/app-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { appsOf } from '#src/storage/accounts/apps.ts'

export const listApps = defineOperation({
  name: 'listApps',
  summary: 'List the apps that you let act for you, newest first.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/auth/apps',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(App),
  example: { output: [EXAMPLE_APP] },
  run: ({ db, caller }) => appsOf(db, caller.user_id!),
})
