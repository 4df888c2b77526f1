import { conflict, notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { type Delivery, toDelivery } from '#src/operations/webhooks/webhook-schemas.ts'
import { attemptAt, findDelivery, firstPending, toldDelivery } from '#src/storage/webhooks/deliveries.ts'
import { webhookOf } from '#src/storage/webhooks/webhooks.ts'

/** Moves the next attempt of a delivery to now. */
export const dueNow = defineStep({
  name: 'dueNow',
  effect: 'write',
  async run(
    { db, now },
    { webhook_id, delivery_id: given }: { webhook_id: string; delivery_id: string },
  ): Promise<Delivery> {
    const webhook = await webhookOf(db, webhook_id)
    const delivery_id = parseUlid(given)
    const delivery = delivery_id && (await findDelivery(db, delivery_id))
    if (!delivery || delivery.webhook !== webhook.id)
      throw notFound('delivery', given, {
        suggestion: 'List them with GET /api/webhooks/{webhook_id}/deliveries',
      })
    if (delivery.event_id === null)
      throw conflict('A test is not repeated', {
        suggestion: 'Send another one with POST /api/webhooks/{webhook_id}/test',
      })
    if (!webhook.enabled)
      throw conflict('The webhook is disabled, so nothing is sent to it', {
        suggestion:
          'Enable it with PUT /api/webhooks/{webhook_id} {"enabled": true}: what was not delivered is sent then',
      })
    const first =
      delivery.status === 'pending' ? await firstPending(db, webhook.id, delivery.lane) : delivery.delivery_id
    if (first !== delivery.delivery_id)
      throw conflict('An earlier delivery of the same item comes first', {
        suggestion: `Retry that one: ${first}`,
        details: { delivery_id: first },
      })
    await attemptAt(db, delivery.id, now)
    return toDelivery(await toldDelivery(db, delivery.delivery_id))
  },
})
