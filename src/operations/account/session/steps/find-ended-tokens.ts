import { defineStep } from '#src/operations/step.ts'
import { liveTokens } from '#src/storage/accounts/live-tokens.ts'

/** Those of the tokens that have ended: by time, in another process, or by the command line. */
export const findEndedTokens = defineStep({
  name: 'findEndedTokens',
  effect: 'read',
  async run({ db, now }, { token_hashes }: { token_hashes: string[] }): Promise<string[]> {
    const live = await liveTokens(db, token_hashes, now)
    return token_hashes.filter((each) => !live.has(each))
  },
})
