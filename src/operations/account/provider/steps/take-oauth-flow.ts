import { defineStep } from '#src/operations/step.ts'
import { removeOauthFlow } from '#src/storage/accounts/oauth-flows.ts'

/** Uses up a sign-in that comes back from the provider, if it is the same browser that left. */
export const takeOauthFlow = defineStep({
  name: 'takeOauthFlow',
  effect: 'write',
  async run(
    { db, now },
    { provider, state_hash, browser_hash }: { provider: string; state_hash: string; browser_hash: string },
  ) {
    const flow = await removeOauthFlow(db, provider, state_hash, now)
    if (!flow || flow.browser_hash !== browser_hash) return null
    const { nonce, code_verifier, token_hash } = flow
    return { nonce, code_verifier, token_hash }
  },
})
