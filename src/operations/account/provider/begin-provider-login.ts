import { Type } from 'typebox'
import { hashToken, newToken } from '#src/auth/session.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { checkFresh, findProofs } from '#src/runtime/fresh-proof.ts'
import { MAX_ID } from '#src/operations/schemas/inputs.ts'
import { providerOf, storeOauthFlow } from '#src/operations/account/provider/provider-steps.ts'

export const beginProviderLogin = defineOperation({
  name: 'beginProviderLogin',
  summary: 'Where to send a browser that wants to sign in with a provider.',
  access: 'none',
  effect: 'compose',
  input: Type.Object({
    provider: Type.String({ maxLength: MAX_ID }),
    /** The secret that the browser already keeps for this provider. */
    browser: Type.Union([Type.String({ maxLength: MAX_ID }), Type.Null()]),
  }),
  output: Type.Object({
    url: Type.String(),
    /** The secret that the browser is to keep until it comes back. */
    browser: Type.String(),
  }),
  async run(context, { provider: name, browser: kept }) {
    const { call, services } = context
    const provider = providerOf(services, name)
    // A caller who is signed in links the provider to their account.
    if (context.caller.session?.state === 'full' && services.config.fresh_proof === 'all')
      checkFresh(context, await call(findProofs, { passwords: services.config.passwords }), {
        auth_error: 'proof_needed',
      })
    // One secret for all sign-ins that a browser has under way: two tabs do not spoil each other.
    const browser = kept ?? newToken()
    const [state, nonce, code_verifier] = [newToken(), newToken(), newToken()]
    const url = await provider.authorizationUrl({ state, nonce, code_verifier })
    await call(storeOauthFlow, {
      provider: provider.name,
      state_hash: hashToken(state),
      browser_hash: hashToken(browser),
      nonce,
      code_verifier,
    })
    return { url, browser }
  },
})
