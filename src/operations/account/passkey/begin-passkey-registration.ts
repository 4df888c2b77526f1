import { Type } from 'typebox'
import { creationOptions } from '#src/auth/passkey.ts'
import { findOwnPasskeys, storeRegistration } from '#src/operations/account/passkey/passkey-steps.ts'
import { PublicKeyOptions } from '#src/operations/account/passkey/passkey-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const beginPasskeyRegistration = defineOperation({
  name: 'beginPasskeyRegistration',
  summary: 'Begin to register a passkey: the options for `navigator.credentials.create`.',
  description: 'Good for five minutes and one answer.',
  access: 'user',
  needs: 'own',
  fresh: 'all',
  effect: 'compose',
  rest: 'POST /api/auth/passkey/register/begin',
  input: Type.Object({}, { additionalProperties: false }),
  output: PublicKeyOptions,
  async run({ call, services }) {
    const { user, passkeys } = await call(findOwnPasskeys, {})
    const publicKey = await creationOptions(services.config.public_url, user, passkeys)
    await call(storeRegistration, { challenge: publicKey.challenge })
    return { publicKey }
  },
})
