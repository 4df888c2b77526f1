import { Type } from 'typebox'
import { EXAMPLE_KEY, Key } from '#src/operations/account/key/key-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { keysOf } from '#src/storage/accounts/api-keys.ts'

export const listKeys = defineOperation({
  name: 'listKeys',
  summary: 'List your keys, newest first, expired ones too.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/keys',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(Key),
  example: { output: [EXAMPLE_KEY] },
  run: ({ db, caller }) => keysOf(db, caller.user_id!),
})
