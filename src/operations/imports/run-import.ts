import { Type } from 'typebox'
import { awaitStart, beginOnce } from '#src/operations/imports/await-import.ts'
import { requestRun } from '#src/operations/imports/import-requests.ts'
import { Import, ImportId, OnFault } from '#src/operations/imports/import-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const runImport = defineOperation({
  name: 'runImport',
  summary: 'Write the rows of an import, in portions alongside other work.',
  description:
    'Each portion of up to 1,000 rows is a change whose events have `import_id` in their details. `GET ' +
    '/api/imports/{import_id}` says how far it is. Where rows have faults, `refuse` (the default) writes nothing: 409. ' +
    'What the service itself failed at is tried again for a quarter of an hour; what is `resumable` then goes on by this.',
  access: 'user',
  for_proposers: 'refused',
  effect: 'compose',
  rest: 'POST /api/imports/{import_id}/run',
  input: Type.Object(
    { import_id: ImportId, on_fault: Type.Optional(OnFault) },
    { additionalProperties: false },
  ),
  output: Import,
  accepts: true,
  errors: ['NotFound', 'Conflict'],
  example: { input: { import_id: '01JJXZ5T7GQ3M8K4B9R2C6D01M', on_fault: 'skip' } },
  async run(context, { import_id, on_fault }) {
    return beginOnce(context, requestRun, { import_id, ...(on_fault && { on_fault }) }, awaitStart)
  },
})
