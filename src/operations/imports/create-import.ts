import { Type } from 'typebox'
import { badRequest, invalid, ServiceError } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { awaitImport, beginOnce } from '#src/operations/imports/await-import.ts'
import { fileNotFound, findReadableFile } from '#src/operations/files/file-steps.ts'
import { dropFailedImport, requestLook } from '#src/operations/imports/import-requests.ts'
import { Format, HeaderRow, Import } from '#src/operations/imports/import-schemas.ts'
import { formatOf, hasHeaderRow, otherFormat } from '#src/imports/format-of.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { Id } from '#src/operations/schemas/inputs.ts'

export const createImport = defineOperation({
  name: 'createImport',
  summary: 'Look at a file that is to be imported: its tables, and what their columns seem to be.',
  description:
    'The file is uploaded before (`POST /api/files`). Nothing is written. Takes it more than 5 seconds, the answer is ' +
    '202, and `GET /api/imports/{import_id}` says when it is `ready`. An import and its file are kept for 7 days.',
  access: 'user',
  for_proposers: 'refused',
  effect: 'compose',
  rest: 'POST /api/imports',
  input: Type.Object(
    { file_id: Id('Id of the file'), format: Type.Optional(Format), header_row: Type.Optional(HeaderRow) },
    { additionalProperties: false },
  ),
  output: Import,
  accepts: true,
  errors: ['NotFound', 'Gone'],
  example: { input: { file_id: '01JJXZ5T7GQ3M8K4B9R2C6D0FL', format: 'csv' } },
  async run(context, { file_id, format, header_row }) {
    const id = parseUlid(file_id)
    if (id === null) throw fileNotFound(file_id)
    const { name } = (await context.call(findReadableFile, { file_id: id })) as { name: string }
    const chosen = format ?? formatOf(name)
    if (!chosen)
      throw badRequest(`The name '${name}' does not say of what format the file is`, {
        suggestion: otherFormat(name),
      })
    if (header_row !== undefined && !hasHeaderRow(chosen))
      throw invalid([
        { path: 'header_row', message: `files of the format ${chosen} have no row of headings` },
      ])
    const input = { file_id: id, format: chosen, is_guessed: format === undefined, header_row }
    return beginOnce(context, requestLook, input, async (_, begun) => {
      try {
        return await awaitImport(context, begun)
      } catch (error) {
        const { import_id } = begun
        if (error instanceof ServiceError) await context.call(dropFailedImport, { import_id })
        throw error
      }
    })
  },
})
