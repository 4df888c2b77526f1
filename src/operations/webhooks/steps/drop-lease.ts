import { defineStep } from '#src/operations/step.ts'
import { deleteLease } from '#src/storage/webhooks/lease.ts'

/** Another process may deliver at once. */
export const dropLease = defineStep({
  name: 'dropLease',
  effect: 'write',
  async run({ db }, { holder }: { holder: string }): Promise<null> {
    await deleteLease(db, holder)
    return null
  },
})
