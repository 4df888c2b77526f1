import { Type } from 'typebox'
import { hashToken, newToken } from '#src/auth/session.ts'
import { fileName } from '#src/domain/file-name.ts'
import { addFileUrl, fileUrl } from '#src/operations/files/file-url-steps.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const prepareUpload = defineOperation({
  name: 'prepareUpload',
  summary: 'Get a URL that takes the bytes of one file by PUT, within 15 minutes.',
  description: 'It needs no session. Until the bytes have come, the `file_id` is unknown.',
  tool_description: 'Once, by PUT, without a session. Then use the file_id in a File or a description.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  for_proposers: 'as_ever',
  in_part: true,
  rest: 'POST /api/files/prepare',
  tool: 'prepare_upload',
  input: Type.Object(
    {
      name: Type.String({
        minLength: 1,
        maxLength: 5000,
        description: 'What the file is called',
        inTools: '',
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ file_id: Ulid, upload_url: Type.String(), expires_at: Timestamp }),
  example: {
    input: { name: 'plan.pdf' },
    output: {
      file_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
      upload_url: 'https://facet.example.org/api/file-urls?token=…',
      expires_at: '2026-01-31T09:45:00.000Z',
    },
  },
  async run({ call, services: { config } }, { name }) {
    const token = newToken()
    const made = await call(addFileUrl, {
      token_hash: hashToken(token),
      purpose: 'upload',
      name: fileName(name),
    })
    return { file_id: made.file_id, upload_url: fileUrl(config, token), expires_at: made.expires_at }
  },
})
