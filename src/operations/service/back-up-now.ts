import { Type } from 'typebox'
import { conflict } from '#src/domain/errors.ts'
import { Backups, EXAMPLE_BACKUPS } from '#src/operations/service/backup-schemas.ts'
import { getBackups } from '#src/operations/service/get-backups.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const backUpNow = defineOperation({
  name: 'backUpNow',
  summary: 'Begin a copy of the base, in the folder of BACKUP_TO.',
  description:
    'It is made alongside everything else and takes seconds or minutes: `GET /api/backups` says when it is there. Where one is being made already, that one counts. 409 where BACKUP_TO is not set.',
  access: 'user',
  needs: 'owner',
  effect: 'compose',
  rest: 'POST /api/backups',
  input: Type.Object({}, { additionalProperties: false }),
  output: Backups,
  errors: ['Conflict'],
  example: { output: { ...EXAMPLE_BACKUPS, running: true } },
  async run({ call, services: { config, backups } }) {
    if (config.backup.to === null)
      throw conflict('No place for copies is set', {
        suggestion: 'Whoever runs the service sets BACKUP_TO to a folder, and starts it again',
      })
    backups.begin()
    return call(getBackups, {})
  },
})
