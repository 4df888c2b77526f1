import { defineStep } from '#src/operations/step.ts'
import { insertOauthFlow } from '#src/storage/accounts/oauth-flows.ts'

/** How long a sign-in may stay with the provider. */
export const OAUTH_FLOW_LIFE = 10 * 60 * 1000

interface StartedFlow {
  provider: string
  state_hash: string
  browser_hash: string
  nonce: string
  code_verifier: string
}

/** Keeps what a sign-in must know when it comes back from the provider. */
export const storeOauthFlow = defineStep({
  name: 'storeOauthFlow',
  effect: 'write',
  async run({ db, caller: { session }, now }, flow: StartedFlow) {
    await insertOauthFlow(db, {
      ...flow,
      // Who is signed in links; a cross-site callback will not show the session's cookie.
      token_hash: session?.state === 'full' ? session.token_hash : null,
      expires_at: new Date(now.getTime() + OAUTH_FLOW_LIFE).toISOString(),
    })
    return null
  },
})
