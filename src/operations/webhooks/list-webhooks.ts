import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { pageById, PageById } from '#src/operations/page-by-id.ts'
import { EXAMPLE_WEBHOOK, toWebhook, Webhook } from '#src/operations/webhooks/webhook-schemas.ts'
import { type WebhookRow, webhooksBefore } from '#src/storage/webhooks/webhooks.ts'

export const listWebhooks = defineOperation({
  name: 'listWebhooks',
  summary: 'List the webhooks, newest first, disabled ones too.',
  access: 'user',
  needs: 'owner',
  effect: 'read',
  rest: 'GET /api/webhooks',
  paged: true,
  input: PageById,
  output: Type.Array(Webhook),
  example: { output: [EXAMPLE_WEBHOOK] },
  run: (context, page) =>
    pageById<WebhookRow>(context, page, {
      read: (after, limit) => webhooksBefore(context.db, after, limit),
      idOf: ({ webhook_id }) => webhook_id,
      textOf: (row) => JSON.stringify(toWebhook(row)),
    }),
})
