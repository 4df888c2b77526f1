import { Type } from 'typebox'
import { Message } from '#src/operations/schemas/account.ts'
import { removeOwnPasskey } from '#src/operations/account/passkey/passkey-steps.ts'
import { waysInOf } from '#src/operations/account/users/ways-in.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { MAX_ID } from '#src/operations/schemas/inputs.ts'

export const deletePasskey = defineOperation({
  name: 'deletePasskey',
  summary: "Delete one of the account's passkeys, where another way to sign in remains.",
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'DELETE /api/auth/passkeys/{credential_id}',
  input: Type.Object(
    { credential_id: Type.String({ maxLength: MAX_ID, description: 'As GET /api/auth/passkeys lists it' }) },
    { additionalProperties: false },
  ),
  output: Message,
  errors: ['NotFound'],
  example: { output: { message: 'Passkey deleted' } },
  async run({ call, services }, { credential_id }) {
    await call(removeOwnPasskey, { credential_id, ways: waysInOf(services.config) })
    return { message: 'Passkey deleted' }
  },
})
