import { Type } from 'typebox'
import { Timestamp } from '#src/operations/schemas/answers.ts'

/** What owners see of copies. */
export const Backups = Type.Object(
  {
    to: Type.Union([Type.String(), Type.Null()], { description: 'BACKUP_TO; null: none are made' }),
    at: Type.String({ description: 'BACKUP_AT, by the time zone of the service' }),
    keep: Type.Object({ days: Type.Integer(), weeks: Type.Integer(), months: Type.Integer() }),
    running: Type.Boolean({ description: 'This process makes one now' }),
    next_at: Type.Union([Timestamp, Type.Null()]),
    last: Type.Union([
      Type.Object({
        made_at: Timestamp,
        name: Type.String(),
        bytes: Type.Integer(),
        items: Type.Integer({ description: 'In it, deleted ones too' }),
      }),
      Type.Null(),
    ]),
    failed: Type.Union([Type.Object({ failed_at: Timestamp, reason: Type.String() }), Type.Null()], {
      description: 'What kept the service from making one since the last',
    }),
  },
  { title: 'Backups' },
)

export const EXAMPLE_BACKUPS = {
  to: '/var/backups/facet',
  at: '0 3 * * *',
  keep: { days: 7, weeks: 4, months: 12 },
  running: false,
  next_at: '2026-11-24T03:00:00.000Z',
  last: {
    made_at: '2026-11-23T03:00:00.041Z',
    name: 'facet-1f0c5e9ab342-20261123T030000000Z.db',
    bytes: 4_194_304,
    items: 1204,
  },
  failed: null,
}
