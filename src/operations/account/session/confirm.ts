import { type Static, Type } from 'typebox'
import { challengeOf, verifyAssertion } from '#src/auth/passkey.ts'
import { badRequest, invalid, unauthorized } from '#src/domain/errors.ts'
import { GivenPassword, Message, Code } from '#src/operations/schemas/account.ts'
import { checkOwnCode, checkPassword } from '#src/operations/account/session/prove.ts'
import { renewProof } from '#src/operations/account/session/session-steps.ts'
import { Assertion } from '#src/operations/account/passkey/passkey-schemas.ts'
import { takeAssertion } from '#src/operations/account/passkey/passkey-steps.ts'
import { findPassword } from '#src/operations/account/password/password-steps.ts'
import { recordFailure } from '#src/operations/account/password/login-steps.ts'
import { findProofs, proves, provesNothing } from '#src/runtime/fresh-proof.ts'
import { type ComposeContext, defineOperation } from '#src/runtime/operation.ts'
import { validateInput } from '#src/runtime/validate-input.ts'

/** Only what browsers make is open. */
const closed = { additionalProperties: false } as const
const WAYS = {
  password: Type.Object({ password: GivenPassword }, closed),
  code: Type.Object({ code: Code }, closed),
  id: Assertion,
} as const
type Way = keyof typeof WAYS

export const confirm = defineOperation({
  name: 'confirm',
  summary: 'Prove that it is still you, so that for 10 minutes the session may do what asks for it.',
  description:
    'One of `{password}`, `{code}` (TOTP), or the assertion of a passkey as the body itself, for a challenge of ' +
    'POST /api/auth/passkey/auth/begin. Wrong ones count as failed sign-ins. A code is used up by it. What a session added ' +
    'that had not proved itself proves nothing (403) until somebody has signed in with it.',
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
    const [way, other] = (Object.keys(WAYS) as Way[]).filter((each) => input[each] !== undefined)
    if (way === undefined || other !== undefined)
      throw invalid([
        { path: other ?? '', message: 'give one of password, code, or the assertion of a passkey' },
      ])
    const valid = await validateInput({ input: WAYS[way] }, input)
    if (way === 'id') {
      await provePasskey(context, valid as Static<typeof Assertion>)
      return { message: 'Confirmed' }
    }
    const proven =
      input.password === undefined
        ? await checkOwnCode(context, input.code!)
        : await checkPassword(context, input.password)
    if (!proven)
      throw provesNothing(await context.call(findProofs, { passwords: context.services.config.passwords }))
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
  if (own && !proves(caller, own.unproven_at))
    throw provesNothing(await call(findProofs, { passwords: services.config.passwords }))
  const verified = own && (await verifyAssertion(services.config.public_url, challenge, assertion, own))
  const counter = own &&
    verified && { credential_id: own.credential_id, from: own.counter, to: verified.counter }
  if (counter && (await call(renewProof, { by: 'passkey', counter }))) return
  await call(recordFailure, { email })
  throw unauthorized('The passkey was not accepted')
}
