import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { insertOauthFlow } from '#src/storage/accounts/oauth-flows.ts'

/** How long a sign-in may stay with the provider. */
export const OAUTH_FLOW_LIFE = 10 * 60 * 1000

export const storeOauthFlow = defineOperation({
  name: 'storeOauthFlow',
  summary: 'Keeps what a sign-in must know when it comes back from the provider.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    provider: Type.String(),
    state_hash: Type.String(),
    browser_hash: Type.String(),
    nonce: Type.String(),
    code_verifier: Type.String(),
  }),
  output: Type.Null(),
  async run({ db, caller: { session }, now }, flow) {
    await insertOauthFlow(db, {
      ...flow,
      // Who is signed in links; a cross-site callback will not show the session's cookie.
      token_hash: session?.state === 'full' ? session.token_hash : null,
      expires_at: new Date(now.getTime() + OAUTH_FLOW_LIFE).toISOString(),
    })
    return null
  },
})
