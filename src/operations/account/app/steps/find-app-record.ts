import { defineStep } from '#src/operations/step.ts'
import { findRecord, successorIsUsed } from '#src/storage/accounts/app-records.ts'

/** Milliseconds in which a refresh token may come again, because the answer to it was lost. */
const GRACE = 10_000

export interface FoundRecord {
  payload: string
  consumed: boolean
}

/** What was kept under an id, unless its time is over. */
export const findAppRecord = defineStep({
  name: 'findAppRecord',
  effect: 'read',
  inline: true,
  async run({ db, now }, { kind, id_hash }: { kind: string; id_hash: string }): Promise<FoundRecord | null> {
    const found = await findRecord(db, { kind, id_hash }, now)
    if (!found) return null
    const { payload, consumed_at, app_id, rotation } = found
    if (consumed_at === null) return { payload, consumed: false }
    const lost =
      rotation !== null &&
      app_id !== null &&
      Date.parse(consumed_at) >= now.getTime() - GRACE &&
      !(await successorIsUsed(db, kind, app_id, rotation))
    return { payload, consumed: !lost }
  },
})
