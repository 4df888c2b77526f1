import { defineStep } from '#src/operations/step.ts'
import { keepRecord } from '#src/storage/accounts/app-records.ts'

interface KeptRecord {
  kind: string
  id_hash: string
  app_id: string | null
  payload: string
  rotation: number | null
  /** Seconds. */
  life: number
}

/** Keeps a code, a token, or a request that waits for a consent. */
export const keepAppRecord = defineStep({
  name: 'keepAppRecord',
  effect: 'write',
  async run({ db, now }, { life, ...record }: KeptRecord): Promise<null> {
    const expires_at = new Date(now.getTime() + life * 1000).toISOString()
    await keepRecord(db, { ...record, consumed_at: null, expires_at })
    return null
  },
})
