import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { preferencesOf } from '#src/storage/accounts/accounts.ts'

export const Preferences = Type.Object({}, { additionalProperties: true, title: 'Preferences' })

export const getPreferences = defineOperation({
  name: 'getPreferences',
  summary: 'What an application keeps for your account.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/preferences',
  input: Type.Object({}, { additionalProperties: false }),
  output: Preferences,
  example: { output: { theme: 'dark' } },
  async run({ db, caller }) {
    return new Reply((await preferencesOf(db, caller.user_id!)) ?? '{}')
  },
})
