import { Type } from 'typebox'
import { jsonUpTo, MAX_KEPT_JSON } from '#src/domain/up-to.ts'
import { Reply } from '#src/domain/reply.ts'
import { Preferences } from '#src/operations/account/profile/get-preferences.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { setPreferences } from '#src/storage/accounts/accounts.ts'

export const putPreferences = defineOperation({
  name: 'putPreferences',
  summary: 'Keep something for your account: any JSON object of up to 64 KiB, in place of the earlier one.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  rest: 'PUT /api/preferences',
  input: Type.Object({}, { additionalProperties: true }),
  is_body: true,
  output: Preferences,
  example: { input: { theme: 'dark' }, output: { theme: 'dark' } },
  async run({ db, caller }, preferences) {
    const json = jsonUpTo(preferences, '', MAX_KEPT_JSON)
    await setPreferences(db, caller.user_id!, json)
    return new Reply(json)
  },
})
