import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { EXAMPLE_WEBHOOK, toWebhook, Webhook, WebhookId } from '#src/operations/webhooks/webhook-schemas.ts'
import { webhookOf } from '#src/storage/webhooks/webhooks.ts'

export const getWebhook = defineOperation({
  name: 'getWebhook',
  summary: 'Get one webhook.',
  access: 'user',
  needs: 'owner',
  effect: 'read',
  rest: 'GET /api/webhooks/{webhook_id}',
  input: Type.Object({ webhook_id: WebhookId }, { additionalProperties: false }),
  output: Webhook,
  errors: ['NotFound'],
  example: { output: EXAMPLE_WEBHOOK },
  run: async ({ db }, { webhook_id }) => toWebhook(await webhookOf(db, webhook_id)),
})
