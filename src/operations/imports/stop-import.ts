import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { stopRunning } from '#src/operations/imports/import-requests.ts'
import { Import, ImportId } from '#src/operations/imports/import-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const stopImport = defineOperation({
  name: 'stopImport',
  summary: 'Stop an import that runs. What is written stays, and can be undone.',
  access: 'user',
  for_proposers: 'refused',
  effect: 'write',
  rest: 'POST /api/imports/{import_id}/stop',
  input: Type.Object({ import_id: ImportId }, { additionalProperties: false }),
  output: Import,
  errors: ['NotFound', 'Conflict'],
  example: { input: { import_id: '01JJXZ5T7GQ3M8K4B9R2C6D01M' } },
  async run(context, { import_id }) {
    return Reply.of(await stopRunning(context, import_id))
  },
})
