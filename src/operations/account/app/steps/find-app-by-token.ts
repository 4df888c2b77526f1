import { defineStep } from '#src/operations/step.ts'
import { selectAppByToken, type LiveApp } from '#src/storage/accounts/apps.ts'

/** The app of an access token, or null. */
export const findAppByToken = defineStep({
  name: 'findAppByToken',
  effect: 'read',
  inline: true,
  async run({ db }, { token_hash }: { token_hash: string }): Promise<LiveApp | null> {
    return (await selectAppByToken(db, token_hash)) ?? null
  },
})
