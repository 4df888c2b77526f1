import { Type } from 'typebox'
import { defineOperation } from '#src/runtime/operation.ts'
import { dueNow } from '#src/operations/webhooks/queue-steps.ts'
import {
  Delivery,
  DeliveryId,
  EXAMPLE_DELIVERY,
  WebhookId,
} from '#src/operations/webhooks/webhook-schemas.ts'

export const retryDelivery = defineOperation({
  name: 'retryDelivery',
  summary: 'Send a delivery now, without waiting for its next attempt.',
  description:
    'One that was delivered is sent once more, under the same `webhook-id`. One that waits for an earlier one of the ' +
    'same item cannot be sent before that: 409 that names it.',
  access: 'user',
  needs: 'owner',
  effect: 'compose',
  rest: 'POST /api/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
  input: Type.Object({ webhook_id: WebhookId, delivery_id: DeliveryId }, { additionalProperties: false }),
  output: Delivery,
  errors: ['NotFound', 'Conflict'],
  example: { output: EXAMPLE_DELIVERY },
  async run({ text, services }, input) {
    const answer = await text(dueNow, input)
    services.webhooks.happened()
    return answer
  },
})
