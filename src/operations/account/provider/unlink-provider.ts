import { Type } from 'typebox'
import { Message } from '#src/operations/schemas/account.ts'
import { removeIdentity } from '#src/operations/account/provider/provider-steps.ts'
import { waysInOf } from '#src/operations/account/users/ways-in.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { MAX_ID } from '#src/operations/schemas/inputs.ts'

export const unlinkProvider = defineOperation({
  name: 'unlinkProvider',
  summary: 'Unlink an identity provider from the account.',
  description: 'Refused where it is the only way to sign in; a password and passkeys are ways too.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'DELETE /api/auth/link/{provider}',
  input: Type.Object(
    { provider: Type.String({ maxLength: MAX_ID, description: '`idp_a` or `idp_b`' }) },
    { additionalProperties: false },
  ),
  output: Message,
  errors: ['NotFound'],
  example: { output: { message: 'Provider unlinked' } },
  async run({ call, services }, { provider }) {
    await call(removeIdentity, { provider, ways: waysInOf(services.config) })
    return { message: 'Provider unlinked' }
  },
})
