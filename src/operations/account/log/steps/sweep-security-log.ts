import { defineStep } from '#src/operations/step.ts'
import { sweepSecurityEvents } from '#src/storage/accounts/security-log.ts'

/** Rows in one transaction: other writes wait meanwhile. */
const BATCH = 1000

/** Deletes events of the security log from before a time; answers whether there may be more. */
export const sweepSecurityLog = defineStep({
  name: 'sweepSecurityLog',
  effect: 'write',
  async run({ db }, { before }: { before: string }): Promise<boolean> {
    return (await sweepSecurityEvents(db, before, BATCH)) >= BATCH
  },
})
