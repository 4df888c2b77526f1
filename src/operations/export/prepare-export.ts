import { Type } from 'typebox'
import { hashToken, newToken } from '#src/auth/session.ts'
import { Reply } from '#src/domain/reply.ts'
import { EXPORT_ENDINGS, ExportInput } from '#src/operations/export/export-schemas.ts'
import { planExport } from '#src/operations/export/export-steps.ts'
import { addFileUrl, fileUrl } from '#src/operations/files/file-url-steps.ts'
import { Timestamp } from '#src/operations/schemas/answers.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const prepareExport = defineOperation({
  name: 'prepareExport',
  summary: 'Get a URL that gives items as a file: CSV, JSON Lines, or notes in a zip.',
  description:
    'What `POST /api/items/export` takes. The URL does for 5 minutes, without a session, and gives what the caller may ' +
    'read when it is used, as the items are then.',
  tool_description: 'For 5 minutes, without a session. Without filter and view: all items.',
  access: 'user',
  effect: 'compose',
  in_part: true,
  hints: { readOnly: true },
  rest: 'POST /api/items/export/prepare',
  tool: 'export_items',
  input: ExportInput,
  output: Type.Object({ download_url: Type.String(), expires_at: Timestamp }),
  errors: ['NotFound'],
  example: {
    input: { format: 'csv', filter: { has_tag: 'Task' } },
    output: {
      download_url: 'https://facet.example.org/api/file-urls?token=…',
      expires_at: '2026-01-31T09:35:00.000Z',
    },
  },
  async run({ call, services: { config } }, input) {
    // What is wrong with it is reported to whoever asks, not to whoever opens the URL.
    const { warnings } = await call(planExport, input)
    const token = newToken()
    const { expires_at } = await call(addFileUrl, {
      token_hash: hashToken(token),
      purpose: 'export',
      name: `items.${EXPORT_ENDINGS[input.format]}`,
      asked: JSON.stringify(input),
    })
    const answer = { download_url: fileUrl(config, token), expires_at }
    return Reply.of(answer, warnings.length ? { warnings: [...warnings] } : undefined)
  },
})
