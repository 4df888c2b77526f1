import { Type } from 'typebox'
import { decoyPasskeys, requestOptions } from '#src/auth/passkey.ts'
import { invalid } from '#src/domain/errors.ts'
import { newToken } from '#src/auth/session.ts'
import { GivenEmail } from '#src/operations/schemas/account.ts'
import { beginAssertion, storeDiscovery } from '#src/operations/account/passkey/passkey-steps.ts'
import { PublicKeyOptions } from '#src/operations/account/passkey/passkey-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const beginPasskeyLogin = defineOperation({
  name: 'beginPasskeyLogin',
  summary: 'Begin to sign in with a passkey: the options for `navigator.credentials.get`.',
  description:
    'Good for five minutes and one answer. Answers the same way for every address, so that nobody learns who has an account.',
  access: 'none',
  effect: 'compose',
  rest: 'POST /api/auth/passkey/auth/begin',
  input: Type.Object(
    {
      email: Type.Optional(GivenEmail),
      discoverable: Type.Optional(
        Type.Literal(true, { description: 'In place of `email`: any passkey that the browser offers' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: PublicKeyOptions,
  example: { input: { email: 'ada@example.org' } },
  async run({ call, services }, { email, discoverable }) {
    const challenge = newToken()
    const { public_url } = services.config
    if ((email === undefined) === (discoverable === undefined))
      throw invalid([
        email === undefined
          ? { path: 'email', message: 'is required' }
          : { path: 'discoverable', message: 'give either email or discoverable' },
      ])
    if (email === undefined) {
      await call(storeDiscovery, { challenge })
      return { publicKey: await requestOptions(public_url, challenge, null) }
    }
    const begun = await call(beginAssertion, { email, challenge, new_secret: newToken() })
    const decoys = decoyPasskeys(begun.decoy_secret, email)
    const passkeys = begun.passkeys.length ? begun.passkeys : decoys
    return { publicKey: await requestOptions(public_url, challenge, passkeys) }
  },
})
