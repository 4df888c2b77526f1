import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { importAnswer, ownImport } from '#src/operations/imports/import-record.ts'
import { Import, ImportId } from '#src/operations/imports/import-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const getImport = defineOperation({
  name: 'getImport',
  summary: 'Read one of your imports: what it found, would do, and how far it is.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/imports/{import_id}',
  input: Type.Object({ import_id: ImportId }, { additionalProperties: false }),
  output: Import,
  errors: ['NotFound'],
  example: { input: { import_id: '01JJXZ5T7GQ3M8K4B9R2C6D01M' } },
  async run(context, { import_id }) {
    return Reply.of(await importAnswer(context.db, await ownImport(context, import_id)))
  },
})
