import { Type } from 'typebox'
import { Backups, EXAMPLE_BACKUPS } from '#src/operations/service/backup-schemas.ts'
import { findBackupState } from '#src/operations/service/backup-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const getBackups = defineOperation({
  name: 'getBackups',
  summary: 'Read when the last copy of the base was made, and when the next one is due.',
  access: 'user',
  needs: 'owner',
  effect: 'compose',
  hints: { readOnly: true },
  rest: 'GET /api/backups',
  input: Type.Object({}, { additionalProperties: false }),
  output: Backups,
  example: { output: EXAMPLE_BACKUPS },
  async run({ call, services: { config, backups } }) {
    const { made, failed } = await call(findBackupState, {})
    return {
      ...config.backup,
      running: backups.isRunning,
      next_at: backups.nextAt()?.toISOString() ?? null,
      last: made,
      failed,
    }
  },
})
