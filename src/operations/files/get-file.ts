import { Type } from 'typebox'
import { hashToken, newToken } from '#src/auth/session.ts'
import { notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { findReadableFile, type ReadableFile } from '#src/operations/files/file-steps.ts'
import { addFileUrl, fileUrl } from '#src/operations/files/file-url-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import type { FileStore } from '#src/files/file-store.ts'

/** Bytes of a text that are answered. */
const MAX_TEXT = 64 * 1024
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
    if (file_id === null) throw notFound('File', given)
    const file = await call(findReadableFile, { file_id })
    const text = TEXTS.has(file.type) ? await textOf(files, file) : undefined
    const token = newToken()
    const { name, size, type } = file
    await call(addFileUrl, { token_hash: hashToken(token), purpose: 'download', file_id, name })
    return { name, size, type, ...(text !== undefined && { text }), download_url: fileUrl(config, token) }
  },
})

/** Its beginning, up to a whole character. */
async function textOf(files: FileStore, { blob, size }: ReadableFile): Promise<string> {
  if (!size) return ''
  const chunks: Buffer[] = []
  for await (const chunk of await files.open(blob, { start: 0, end: Math.min(size, MAX_TEXT) - 1 }))
    chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes, { stream: size > MAX_TEXT })
}
