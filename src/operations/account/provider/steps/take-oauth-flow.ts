import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { removeOauthFlow } from '#src/storage/accounts/oauth-flows.ts'

export const takeOauthFlow = defineOperation({
  name: 'takeOauthFlow',
  summary: 'Uses up a sign-in that comes back from the provider, if it is the same browser that left.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({ provider: Type.String(), state_hash: Type.String(), browser_hash: Type.String() }),
  output: Type.Union([
    Type.Object({
      nonce: Type.String(),
      code_verifier: Type.String(),
      token_hash: Type.Union([Type.String(), Type.Null()]),
    }),
    Type.Null(),
  ]),
  async run({ db, now }, { provider, state_hash, browser_hash }) {
    const flow = await removeOauthFlow(db, provider, state_hash, now)
    if (!flow || flow.browser_hash !== browser_hash) return null
    const { nonce, code_verifier, token_hash } = flow
    return { nonce, code_verifier, token_hash }
  },
})
