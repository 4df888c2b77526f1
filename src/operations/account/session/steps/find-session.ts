import { defineStep } from '#src/operations/step.ts'
import { findLiveSession, type LiveSession } from '#src/storage/accounts/sessions.ts'

/** The live session of a token, or null. */
export const findSession = defineStep({
  name: 'findSession',
  effect: 'read',
  async run({ db, now }, { token_hash }: { token_hash: string }): Promise<LiveSession | null> {
    return (await findLiveSession(db, token_hash, now)) ?? null
  },
})
