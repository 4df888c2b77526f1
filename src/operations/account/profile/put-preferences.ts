import { Type } from 'typebox'
import { invalid } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { Preferences } from '#src/operations/account/profile/get-preferences.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { setPreferences } from '#src/storage/accounts/accounts.ts'

const MAX_BYTES = 64 * 1024

export const putPreferences = defineOperation({
  name: 'putPreferences',
  summary: 'Keep something for your account: any JSON object of up to 64 KiB, in place of the earlier one.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  rest: 'PUT /api/preferences',
  input: Type.Object({}, { additionalProperties: true }),
  output: Preferences,
  example: { input: { theme: 'dark' }, output: { theme: 'dark' } },
  async run({ db, caller }, preferences) {
    const json = JSON.stringify(preferences)
    if (Buffer.byteLength(json) > MAX_BYTES)
      throw invalid([{ path: '', message: `is longer than ${MAX_BYTES} bytes as JSON` }])
    await setPreferences(db, caller.user_id!, json)
    return new Reply(json)
  },
})
