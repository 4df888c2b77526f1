import { challengeOf, verifyAssertion } from '#src/auth/passkey.ts'
import { hashToken, newToken } from '#src/auth/session.ts'
import { badRequest, unauthorized } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { EXAMPLE_USER, UserInfo } from '#src/operations/schemas/account.ts'
import { recordSignInFailed } from '#src/operations/account/session/session-steps.ts'
import { finishAssertion, takeAssertion } from '#src/operations/account/passkey/passkey-steps.ts'
import { Assertion } from '#src/operations/account/passkey/passkey-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const completePasskeyLogin = defineOperation({
  name: 'completePasskeyLogin',
  summary: "Sign in with a passkey: the browser's assertion is the body.",
  description: 'Sets the session cookie. A passkey needs no second factor.',
  access: 'none',
  effect: 'compose',
  rest: 'POST /api/auth/passkey/auth/complete',
  input: Assertion,
  output: UserInfo,
  errors: ['Unauthorized'],
  example: { output: { ...EXAMPLE_USER, has_passkey: true } },
  async run({ call, services }, assertion) {
    const challenge = challengeOf(assertion)
    const taken =
      challenge === null ? null : await call(takeAssertion, { challenge, credential_id: assertion.id })
    if (challenge === null || !taken)
      throw badRequest('No sign-in with a passkey is pending', {
        suggestion: 'Begin with POST /api/auth/passkey/auth/begin',
      })
    const { passkey } = taken
    const refuse = async () => {
      await call(recordSignInFailed, { user_id: passkey?.user_id ?? null, by: 'passkey' })
      services.metrics.signInFailed('passkey')
      return unauthorized('The passkey was not accepted')
    }
    if (!passkey) throw await refuse()
    const { public_url } = services.config
    const verified = await verifyAssertion(public_url, challenge, assertion, passkey)
    if (!verified) throw await refuse()
    const token = newToken()
    const finished = await call(finishAssertion, {
      user_id: passkey.user_id,
      credential_id: passkey.credential_id,
      counter: { from: passkey.counter, to: verified.counter },
      user_verified: verified.user_verified,
      token_hash: hashToken(token),
    })
    if (!finished) throw await refuse()
    services.sessions.ended(finished.ended)
    return Reply.of(finished.user, { session_change: { token } })
  },
})
