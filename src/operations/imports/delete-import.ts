import { Type } from 'typebox'
import { dropImport } from '#src/operations/imports/import-requests.ts'
import { ImportId } from '#src/operations/imports/import-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const deleteImport = defineOperation({
  name: 'deleteImport',
  summary: 'Forget an import that does not run. What it wrote stays.',
  access: 'user',
  for_proposers: 'refused',
  effect: 'write',
  rest: 'DELETE /api/imports/{import_id}',
  input: Type.Object({ import_id: ImportId }, { additionalProperties: false }),
  output: Type.Object({ import_id: Type.String() }),
  errors: ['NotFound', 'Conflict'],
  example: { input: { import_id: '01JJXZ5T7GQ3M8K4B9R2C6D01M' } },
  run: (context, { import_id }) => dropImport(context, import_id),
})
