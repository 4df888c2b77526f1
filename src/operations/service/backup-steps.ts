import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { defineStep } from '#src/runtime/operation.ts'
import { serverSecret } from '#src/storage/accounts/server-secrets.ts'
import { backupState, type MadeBackup, setBackupState } from '#src/storage/schema/backup-state.ts'
import { faultsInWords } from '#src/files/blob-fault.ts'

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

interface MadeCopy {
  made: MadeBackup
  /** What it lacks, in a sentence; null: nothing. */
  lacks: string | null
}

interface WrittenCopy {
  file: string
  facts: { counts: Record<string, number> }
  bytes: number
  missing_files: string[]
  damaged_files: string[]
}

/** What is noted of a copy that was begun at that time. */
export function madeBackup(
  { file, facts, bytes, missing_files, damaged_files }: WrittenCopy,
  at: number,
  place: string,
): MadeCopy {
  const [name, items] = [basename(file), facts.counts.item ?? 0]
  const lacks = faultsInWords(place, { missing: missing_files, damaged: damaged_files })
  return {
    made: { made_at: new Date(at).toISOString(), name, bytes, items },
    lacks: lacks.length ? `${name} was made, and is not whole: ${lacks.join('. ')}` : null,
  }
}

/** What became of a copy: it was made, whole or not, or could not be. */
export const recordBackup = defineStep({
  name: 'recordBackup',
  effect: 'write',
  async run({ db, now }, outcome: MadeCopy | { reason: string }) {
    const failedBy = (reason: string) => ({ failed_at: now.toISOString(), reason })
    if ('made' in outcome) {
      const { made, lacks } = outcome
      await setBackupState(db, { made, failed: lacks === null ? null : failedBy(lacks) })
    } else {
      const { made } = await backupState(db)
      await setBackupState(db, { made, failed: failedBy(outcome.reason) })
    }
    return null
  },
})
