import type { Ulid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { touchAccount } from '#src/storage/accounts/accounts.ts'
import { updateAppUse } from '#src/storage/accounts/apps.ts'

/** Notes in which minute an app was used. */
export const touchApp = defineStep({
  name: 'touchApp',
  effect: 'write',
  async run({ db }, { app_id, user_id, minute }: { app_id: Ulid; user_id: Ulid; minute: string }) {
    await updateAppUse(db, app_id, minute)
    await touchAccount(db, user_id, minute)
    return null
  },
})
