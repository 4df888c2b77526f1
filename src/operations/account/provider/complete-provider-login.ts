import { Type } from 'typebox'
import { authFault } from '#src/auth/auth-fault.ts'
import { hashToken, newToken } from '#src/auth/session.ts'
import { Reply } from '#src/domain/reply.ts'
import { UserInfo } from '#src/operations/schemas/account.ts'
import { termsOf } from '#src/operations/account/invitation/admission.ts'
import {
  providerOf,
  signInByIdentity,
  takeOauthFlow,
} from '#src/operations/account/provider/provider-steps.ts'
import { waysInOf } from '#src/operations/account/users/ways-in.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { MAX_ID } from '#src/operations/schemas/inputs.ts'

/** As long as a provider's form may be. */
const Text = Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()])

export const completeProviderLogin = defineOperation({
  name: 'completeProviderLogin',
  summary: "Sign in, or link, with a provider's answer.",
  access: 'none',
  effect: 'compose',
  input: Type.Object({
    provider: Type.String({ maxLength: MAX_ID }),
    /** The secret that the browser kept. */
    browser: Text,
    state: Text,
    code: Text,
    iss: Text,
    /** What the provider says instead of a code. */
    error: Text,
  }),
  output: UserInfo,
  async run({ call, services }, { provider: name, browser, state, code, iss, error }) {
    const provider = providerOf(services, name)
    const flow =
      state === null || browser === null
        ? null
        : await call(takeOauthFlow, {
            provider: provider.name,
            state_hash: hashToken(state),
            browser_hash: hashToken(browser),
          })
    if (error !== null) throw authFault('provider_error', { reason: error.slice(0, 100) })
    if (state === null || !flow) throw authFault('invalid_state')
    const answer = new URLSearchParams({
      state,
      ...(code !== null && { code }),
      ...(iss !== null && { iss }),
    })
    const identity = await provider.identify(answer, { state, ...flow })
    const token = newToken()
    const { user, ended } = await call(signInByIdentity, {
      provider: provider.name,
      ...identity,
      terms: termsOf(services.config),
      ways: waysInOf(services.config),
      linking: services.config.account_linking,
      link_to: flow.token_hash,
      token_hash: hashToken(token),
    })
    services.sessions.ended(ended)
    return Reply.of(user, { session_change: { token } })
  },
})
