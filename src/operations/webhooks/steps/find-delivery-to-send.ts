import type { Ulid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { TEST_TYPE } from '#src/operations/webhooks/webhook-schemas.ts'
import { eventText } from '#src/storage/find-events.ts'
import { findDelivery } from '#src/storage/webhooks/deliveries.ts'
import { webhookOfRow, type WebhookRow } from '#src/storage/webhooks/webhooks.ts'

/** All that is sent, and where to. */
export interface DeliveryToSend extends Pick<WebhookRow, 'url' | 'secret' | 'secret_id'> {
  delivery_id: Ulid
  body: string
}

/** Null where nothing is to be sent any more. The event is read from the log each time: nothing else holds its content. */
export const findDeliveryToSend = defineStep({
  name: 'findDeliveryToSend',
  effect: 'read',
  async run({ db }, { delivery_id }: { delivery_id: Ulid }): Promise<DeliveryToSend | null> {
    const delivery = await findDelivery(db, delivery_id)
    const webhook = delivery && (await webhookOfRow(db, delivery.webhook))
    if (!webhook) return null
    const { url, secret, secret_id, webhook_id, description } = webhook
    const { event_id, created_at, next_attempt_at } = delivery
    if (event_id === null)
      return {
        delivery_id,
        url,
        secret,
        secret_id,
        body: testEvent(delivery_id, created_at, { webhook_id, description }),
      }
    const body = webhook.enabled && next_attempt_at !== null ? await eventText(db, event_id) : undefined
    return body === undefined ? null : { delivery_id, url, secret, secret_id, body }
  },
})

/** With the properties that every event has. */
const testEvent = (event_id: Ulid, created_at: string, details: object): string =>
  JSON.stringify({
    event_id,
    event_type: TEST_TYPE,
    entity_type: null,
    item_id: null,
    tag_id: null,
    user_id: null,
    source: 'rest',
    created_at,
    user_name: null,
    change_id: null,
    client: null,
    details,
    details_hash: null,
    details_salt: null,
    hash: null,
  })
