import { Type } from 'typebox'
import { notFound } from '#src/domain/errors.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { sendDelivery } from '#src/operations/webhooks/send-delivery.ts'
import { addTest } from '#src/operations/webhooks/webhook-steps.ts'
import { findDeliveryToSend, recordAttempt } from '#src/operations/webhooks/delivery-steps.ts'
import { Delivery, EXAMPLE_DELIVERY, WebhookId } from '#src/operations/webhooks/webhook-schemas.ts'

export const testWebhook = defineOperation({
  name: 'testWebhook',
  summary: 'Send a test to a webhook, and say how it was answered.',
  description:
    'Its event has the type `webhook_test` and concerns nothing. It is sent once, at once, to a disabled one too.',
  access: 'user',
  needs: 'owner',
  effect: 'compose',
  rest: 'POST /api/webhooks/{webhook_id}/test',
  input: Type.Object({ webhook_id: WebhookId }, { additionalProperties: false }),
  output: Delivery,
  errors: ['NotFound'],
  example: {
    output: {
      ...EXAMPLE_DELIVERY,
      event_id: null,
      event_type: 'webhook_test',
      item_id: null,
      tag_id: null,
      status: 'delivered' as const,
      response_status: 200,
      error: null,
      next_attempt_at: null,
    },
  },
  async run({ call, services, now }, input) {
    const { delivery_id } = await call(addTest, input)
    const found = await call(findDeliveryToSend, { delivery_id })
    if (!found) throw gone(input.webhook_id)
    const outcome = await sendDelivery(services, found, { at: now.getTime() })
    const recorded = await call(recordAttempt, { delivery_id, attempts: found.attempts, ...outcome })
    if (!recorded) throw gone(input.webhook_id)
    return recorded.delivery
  },
})

/** Somebody has deleted it in between. */
const gone = (webhook_id: string) => notFound('webhook', webhook_id)
