import { defineStep } from '#src/operations/step.ts'
import { insertConsent } from '#src/storage/accounts/apps.ts'

/** Keeps what an app was granted, as the authorization server writes it. */
export const keepConsent = defineStep({
  name: 'keepConsent',
  effect: 'write',
  async run({ db }, { app_id, consent }: { app_id: string; consent: string }): Promise<null> {
    await insertConsent(db, app_id, consent)
    return null
  },
})
