import { Type } from 'typebox'
import { awaitImport, beginOnce } from '#src/operations/imports/await-import.ts'
import { requestUndo } from '#src/operations/imports/import-requests.ts'
import { Import, ImportId } from '#src/operations/imports/import-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const undoImport = defineOperation({
  name: 'undoImport',
  summary: 'Take all that an import wrote back, newest first, in portions.',
  description:
    'What has been changed since is a conflict: with `on_conflict: "refuse"` (default) nothing is undone, with "skip" ' +
    'the rest is. Takes it more than 5 seconds, the answer is 202.',
  access: 'user',
  for_proposers: 'refused',
  effect: 'compose',
  rest: 'POST /api/imports/{import_id}/undo',
  input: Type.Object(
    {
      import_id: ImportId,
      on_conflict: Type.Optional(
        Type.Union([Type.Literal('refuse'), Type.Literal('skip')], {
          description: 'With conflicts: nothing is undone, or the rest is',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Import,
  accepts: true,
  errors: ['NotFound', 'Conflict'],
  example: { input: { import_id: '01JJXZ5T7GQ3M8K4B9R2C6D01M' } },
  async run(context, { import_id, on_conflict = 'refuse' }) {
    return beginOnce(context, requestUndo, { import_id, on_conflict }, awaitImport)
  },
})
