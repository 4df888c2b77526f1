import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { isFirstAccount } from '#src/storage/accounts/accounts.ts'

export const baseIsNew = defineOperation({
  name: 'baseIsNew',
  summary: 'Whether nobody has an account yet.',
  access: 'internal',
  effect: 'read',
  inline: true,
  input: Type.Object({}),
  output: Type.Boolean(),
  run: ({ db }) => isFirstAccount(db),
})
