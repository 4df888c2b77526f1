import { defineStep } from '#src/operations/step.ts'
import { consentOfApp } from '#src/storage/accounts/apps.ts'

/** What an app was granted; null: it is gone. */
export const findConsent = defineStep({
  name: 'findConsent',
  effect: 'read',
  inline: true,
  async run({ db }, { app_id }: { app_id: string }): Promise<string | null> {
    return consentOfApp(db, app_id)
  },
})
