import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { auditHead } from '#src/storage/log/find-events.ts'

export const getAuditHead = defineOperation({
  name: 'getAuditHead',
  summary: 'Read how far the audit log has come: the hash of its newest event.',
  description:
    'Written down elsewhere, it proves later that the log was not changed: `npm run facet -- audit verify --head HASH` says whether the log of that day continues it. Of an empty log the hash is 64 zeros.',
  access: 'user',
  effect: 'read',
  rest: 'GET /api/audit-log/head',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    event_id: Type.Union([Ulid, Type.Null()]),
    hash: Type.String({ examples: ['5f2c1c1b8e9b1d3f6a0c4d7e2b9a8f7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a'] }),
    count: Type.Integer({ description: 'Events in all' }),
  }),
  run: ({ db }) => auditHead(db),
})
