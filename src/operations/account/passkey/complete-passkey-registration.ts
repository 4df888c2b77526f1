import { Type } from 'typebox'
import { challengeOf, verifyCreation } from '#src/auth/passkey.ts'
import { badRequest } from '#src/domain/errors.ts'
import { Message } from '#src/operations/account/account-schemas.ts'
import { addPasskey } from '#src/operations/account/passkey/steps/add-passkey.ts'
import { CreatedCredential } from '#src/operations/account/passkey/passkey-schemas.ts'
import { takeRegistration } from '#src/operations/account/passkey/steps/take-registration.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { Name } from '#src/operations/shared-inputs.ts'

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
  async run({ call, services }, { name, credential }) {
    const challenge = challengeOf(credential)
    if (challenge === null || !(await call(takeRegistration, { challenge })))
      throw badRequest('No registration of a passkey is pending', {
        suggestion: 'Begin with POST /api/auth/passkey/register/begin',
      })
    const passkey = await verifyCreation(services.config.public_url, challenge, credential)
    if (!passkey) throw badRequest('The passkey could not be verified')
    await call(addPasskey, { name, ...passkey })
    return { message: 'Passkey registered' }
  },
})
