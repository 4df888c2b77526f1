import { defineStep } from '#src/operations/step.ts'
import { consumeRecord, consumeSuccessors, findRecord } from '#src/storage/accounts/app-records.ts'

/**
 * Uses up a code or a refresh token; false: it was before. A refresh token that comes again in its grace takes the place
 * of the successor that nobody received (decision 67).
 */
export const useAppRecord = defineStep({
  name: 'useAppRecord',
  effect: 'write',
  async run({ db, now }, key: { kind: string; id_hash: string }): Promise<boolean> {
    if (await consumeRecord(db, key, now)) return true
    const found = await findRecord(db, key, now)
    if (found?.app_id && found.rotation !== null) {
      await consumeSuccessors(db, key.kind, found.app_id, found.rotation)
      return true
    }
    return false
  },
})
