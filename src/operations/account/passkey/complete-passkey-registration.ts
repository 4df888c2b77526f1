import { Type } from 'typebox'
import { challengeOf, verifyCreation } from '#src/auth/passkey.ts'
import { badRequest } from '#src/domain/errors.ts'
import { Message } from '#src/operations/schemas/account.ts'
import { addPasskey, takeRegistration } from '#src/operations/account/passkey/passkey-steps.ts'
import { CreatedCredential } from '#src/operations/account/passkey/passkey-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Name } from '#src/operations/schemas/inputs.ts'

export const completePasskeyRegistration = defineOperation({
  name: 'completePasskeyRegistration',
  summary: "Register a passkey with the browser's answer.",
  access: 'user',
  needs: 'own',
  fresh: 'all',
  effect: 'compose',
  rest: 'POST /api/auth/passkey/register/complete',
  input: Type.Object({ name: Name, credential: CreatedCredential }, { additionalProperties: false }),
  output: Message,
  errors: ['Conflict'],
  async run({ call, services }, { name, credential }) {
    const challenge = challengeOf(credential)
    const begun = challenge === null ? null : await call(takeRegistration, { challenge })
    if (challenge === null || !begun)
      throw badRequest('No registration of a passkey is pending', {
        suggestion: 'Begin with POST /api/auth/passkey/register/begin',
      })
    const passkey = await verifyCreation(services.config.public_url, challenge, credential)
    if (!passkey) throw badRequest('The passkey could not be verified')
    await call(addPasskey, { name, ...passkey, ...begun })
    return { message: 'Passkey registered' }
  },
})
