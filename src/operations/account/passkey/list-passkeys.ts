import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { Timestamp } from '#src/operations/schemas/answers.ts'
import { passkeysOf } from '#src/storage/accounts/passkeys.ts'

export const listPasskeys = defineOperation({
  name: 'listPasskeys',
  summary: "The account's passkeys, oldest first.",
  access: 'user',
  needs: 'own',
  effect: 'read',
  inline: true,
  rest: 'GET /api/auth/passkeys',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(
    Type.Object(
      { credential_id: Type.String(), name: Type.String(), created_at: Timestamp },
      { title: 'Passkey' },
    ),
  ),
  async run({ db, caller }) {
    const passkeys = await passkeysOf(db, caller.user_id!)
    return passkeys.map(({ credential_id, name, created_at }) => ({ credential_id, name, created_at }))
  },
})
