import { defineStep } from '#src/operations/step.ts'
import { claimLease, type Lease } from '#src/storage/webhooks/lease.ts'

/** Whether this process delivers from now on, or goes on delivering. */
export const takeLease = defineStep({
  name: 'takeLease',
  effect: 'write',
  run: ({ db, newId }, { holder, expired }: { holder: string; expired: Lease | null }): Promise<boolean> =>
    claimLease(db, holder, newId(), expired),
})
