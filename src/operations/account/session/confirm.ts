import { type Static, Type } from 'typebox'
import { challengeOf, verifyAssertion } from '#src/auth/passkey.ts'
import { badRequest, invalid, unauthorized } from '#src/domain/errors.ts'
import { GivenPassword, Message, Code } from '#src/operations/schemas/account.ts'
import { proveCode, provePassword } from '#src/operations/account/session/prove.ts'
import { renewProof } from '#src/operations/account/session/session-steps.ts'
import { Assertion } from '#src/operations/account/passkey/passkey-schemas.ts'
import { takeAssertion } from '#src/operations/account/passkey/passkey-steps.ts'
import { findPassword } from '#src/operations/account/password/password-steps.ts'
import { recordFailure } from '#src/operations/account/password/login-steps.ts'
import { type ComposeContext, defineOperation } from '#src/runtime/operation.ts'
import { validateInput } from '#src/runtime/validate-input.ts'

const WAYS = ['password', 'code', 'id'] as const

export const confirm = defineOperation({
  name: 'confirm',
  summary: 'Prove that it is still you, so that for 10 minutes the session may do what asks for it.',
  description:
    'One of `{password}`, `{code}` (TOTP), or the assertion of a passkey as the body itself, for a challenge of ' +
    'POST /api/auth/passkey/auth/begin. Wrong ones count as failed sign-ins.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'POST /api/auth/confirm',
  input: Type.Object(
    {
      password: Type.Optional(GivenPassword),
      code: Type.Optional(Code),
      id: Type.Optional(Assertion.properties.id),
      rawId: Type.Optional(Assertion.properties.rawId),
      type: Type.Optional(Assertion.properties.type),
      response: Type.Optional(Assertion.properties.response),
    },
    { additionalProperties: true },
  ),
  output: Message,
  errors: ['TooManyRequests'],
  example: { input: { password: 'correct horse battery' }, output: { message: 'Confirmed' } },
  async run(context, input) {
    const given = WAYS.filter((way) => input[way] !== undefined)
    if (given.length !== 1)
      throw invalid([
        { path: given[1] ?? '', message: 'give one of password, code, or the assertion of a passkey' },
      ])
    if (input.password !== undefined) await provePassword(context, input.password)
    else if (input.code !== undefined) await proveCode(context, input.code)
    else {
      const assertion = await validateInput({ input: Assertion }, input)
      await provePasskey(context, assertion as Static<typeof Assertion>)
      return { message: 'Confirmed' }
    }
    await context.call(renewProof, { by: input.password === undefined ? 'totp' : 'password' })
    return { message: 'Confirmed' }
  },
})

/** @throws Unauthorized for a passkey of somebody else, or an answer that does not hold */
async function provePasskey(context: ComposeContext, assertion: Static<typeof Assertion>): Promise<void> {
  const { caller, call, services } = context
  const { email } = await call(findPassword, {})
  const challenge = challengeOf(assertion)
  const taken =
    challenge === null ? null : await call(takeAssertion, { challenge, credential_id: assertion.id })
  if (challenge === null || !taken)
    throw badRequest('No challenge is pending for this passkey', {
      suggestion: 'Begin with POST /api/auth/passkey/auth/begin',
    })
  const { passkey } = taken
  const own = passkey?.user_id === caller.user_id ? passkey : null
  const verified = own && (await verifyAssertion(services.config.public_url, challenge, assertion, own))
  const counter = own &&
    verified && { credential_id: own.credential_id, from: own.counter, to: verified.counter }
  if (counter && (await call(renewProof, { by: 'passkey', counter }))) return
  await call(recordFailure, { email })
  throw unauthorized('The passkey was not accepted')
}
