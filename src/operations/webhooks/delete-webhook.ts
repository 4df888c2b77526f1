import { Type } from 'typebox'
import { Message } from '#src/operations/schemas/account.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { WebhookId } from '#src/operations/webhooks/webhook-schemas.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { deleteWebhookRow, webhookOf } from '#src/storage/webhooks/webhooks.ts'

export const deleteWebhook = defineOperation({
  name: 'deleteWebhook',
  summary: 'Delete a webhook with its deliveries; nothing more is sent to it.',
  access: 'user',
  needs: 'owner',
  effect: 'write',
  rest: 'DELETE /api/webhooks/{webhook_id}',
  input: Type.Object({ webhook_id: WebhookId }, { additionalProperties: false }),
  output: Message,
  errors: ['NotFound'],
  example: { output: { message: 'Webhook deleted' } },
  async run(context, { webhook_id }) {
    const { db } = context
    const { id, webhook_id: known, url } = await webhookOf(db, webhook_id)
    await deleteWebhookRow(db, id)
    await appendSecurityEvent(db, context, {
      event_type: 'webhook_deleted',
      user_id: null,
      details: { webhook_id: known, host: new URL(url).host },
    })
    return { message: 'Webhook deleted' }
  },
})
