import { randomBytes } from 'node:crypto'
import { defineStep } from '#src/runtime/operation.ts'
import { serverSecret } from '#src/storage/accounts/server-secrets.ts'
import { backupState, type MadeBackup, setBackupState } from '#src/storage/schema/backup-state.ts'

/** What distinguishes copies of this base from those of others, for good. */
export const findBaseId = defineStep({
  name: 'findBaseId',
  effect: 'write',
  run: async ({ db }) => ({ base_id: await serverSecret(db, 'base_id', randomBytes(6).toString('hex')) }),
})

export const findBackupState = defineStep({
  name: 'findBackupState',
  effect: 'read',
  run: ({ db }) => backupState(db),
})

/** What became of a copy: it was made, or could not be. */
export const recordBackup = defineStep({
  name: 'recordBackup',
  effect: 'write',
  async run({ db, now }, outcome: { made: MadeBackup } | { reason: string }) {
    if ('made' in outcome) await setBackupState(db, { made: outcome.made, failed: null })
    else {
      const { made } = await backupState(db)
      await setBackupState(db, {
        made,
        failed: { failed_at: now.toISOString(), reason: outcome.reason },
      })
    }
    return null
  },
})
