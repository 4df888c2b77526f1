import { Type } from 'typebox'
import { awaitImport, beginOnce } from '#src/operations/imports/await-import.ts'
import { checkMapping, requestCheck } from '#src/operations/imports/import-requests.ts'
import { Import, ImportId, MappingInput } from '#src/operations/imports/import-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const mapImport = defineOperation({
  name: 'mapImport',
  summary: 'Say where the columns of an import go, and learn what it would do.',
  description:
    'Nothing is written. What is not said goes where the look said (`to`). With `key` rows meet the items that have ' +
    'the value, and an empty cell leaves a value as it is; of the same key twice the later row wins. References are ' +
    'found by name. A row with a fault is left out as a whole. ' +
    'The mapping has at most 4 MiB as JSON. While a run checks the rows, and from its first change on, it is 409.',
  access: 'user',
  for_proposers: 'refused',
  effect: 'compose',
  rest: 'PUT /api/imports/{import_id}',
  input: Type.Object({ import_id: ImportId, ...MappingInput }, { additionalProperties: false }),
  output: Import,
  accepts: true,
  errors: ['NotFound', 'Conflict'],
  example: {
    input: {
      import_id: '01JJXZ5T7GQ3M8K4B9R2C6D01M',
      tables: [
        {
          name: 'people',
          tag: { new: { name: 'Person' } },
          key: 'email',
          columns: { Born: { field: 'born', type: 'Date', format: 'DMY' }, Notes: null },
        },
      ],
    },
  },
  async run(context, { import_id, ...mapping }) {
    const text = await context.call(checkMapping, { import_id, mapping })
    return beginOnce(context, requestCheck, { import_id, mapping: text }, awaitImport)
  },
})
