import { Type } from 'typebox'
import { hashToken, newToken } from '#src/auth/session.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { fileNotFound, findReadableFile, type ReadableFile } from '#src/operations/files/file-steps.ts'
import { addFileUrl, fileUrl } from '#src/operations/files/file-url-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import type { FileStore } from '#src/files/file-store.ts'
import { startOfText, type TextEncoding } from '#src/files/text-encoding.ts'

const TEXTS = new Set(['text/plain', 'text/html', 'image/svg+xml'])

export const getFile = defineOperation({
  name: 'getFile',
  summary: 'What a file is, its text where it is one, and a URL that gives its bytes for 5 minutes.',
  description: 'Of a text its first 64 KiB. The URL needs no session, and does what the caller may.',
  tool_description: 'Of a text its first 64 KiB. The URL does for 5 minutes, without a session.',
  access: 'user',
  effect: 'compose',
  in_part: true,
  hints: { readOnly: true },
  rest: 'POST /api/files/{file_id}/open',
  tool: 'get_file',
  input: Type.Object(
    { file_id: Type.String({ maxLength: 2000, inTools: '' }) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    name: Type.String(),
    size: Type.Integer({ description: 'Bytes' }),
    type: Type.String({ description: 'A media type' }),
    text: Type.Optional(Type.String()),
    encoding: Type.Optional(
      Type.String({ description: 'How the bytes of a text are read that is not UTF-8, e.g. windows-1252' }),
    ),
    download_url: Type.String(),
  }),
  errors: ['NotFound', 'Gone'],
  example: {
    input: { file_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' },
    output: {
      name: 'notes.txt',
      size: 5,
      type: 'text/plain',
      text: 'Hello',
      download_url: 'https://facet.example.org/api/file-urls?token=…',
    },
  },
  async run({ call, services: { config, files } }, { file_id: given }) {
    const file_id = parseUlid(given)
    if (file_id === null) throw fileNotFound(given)
    const file = await call(findReadableFile, { file_id })
    const text = TEXTS.has(file.type) ? await textOf(files, file) : {}
    const token = newToken()
    const { name, size, type } = file
    await call(addFileUrl, { token_hash: hashToken(token), purpose: 'download', file_id, name })
    return { name, size, type, ...text, download_url: fileUrl(config, token) }
  },
})

/** Its beginning, up to a whole character. */
async function textOf(
  files: FileStore,
  { blob, size }: ReadableFile,
): Promise<{ text: string; encoding?: TextEncoding }> {
  const { bytes, isWhole, encoding } = await startOfText((range) => files.open(blob, range), size)
  const text = new TextDecoder(encoding).decode(bytes, { stream: !isWhole })
  return { text, ...(encoding !== 'utf-8' && { encoding }) }
}
