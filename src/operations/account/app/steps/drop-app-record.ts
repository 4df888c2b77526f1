import { defineStep } from '#src/operations/step.ts'
import { deleteRecord } from '#src/storage/accounts/app-records.ts'

/** Forgets what was kept under an id. */
export const dropAppRecord = defineStep({
  name: 'dropAppRecord',
  effect: 'write',
  async run({ db }, key: { kind: string; id_hash: string }): Promise<null> {
    await deleteRecord(db, key)
    return null
  },
})
