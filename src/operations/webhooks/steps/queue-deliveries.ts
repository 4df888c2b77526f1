import type { Ulid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import type { NewDeliveries } from '#src/operations/webhooks/steps/find-new-deliveries.ts'
import { insertDeliveries } from '#src/storage/webhooks/deliveries.ts'
import { findWebhook, moveWebhook } from '#src/storage/webhooks/webhooks.ts'

/** Keeps what is to be sent, and that the webhook has been asked. False: it is elsewhere by now. */
export const queueDeliveries = defineStep({
  name: 'queueDeliveries',
  effect: 'write',
  async run(
    { db, now, newId },
    { webhook_id, from, to, events }: { webhook_id: Ulid } & NewDeliveries,
  ): Promise<boolean> {
    const webhook = await findWebhook(db, webhook_id)
    if (!webhook || !(await moveWebhook(db, webhook.id, from, to))) return false
    if (!events.length) return true
    await insertDeliveries(
      db,
      webhook.id,
      events.map((event) => ({ ...event, delivery_id: newId() })),
      now,
    )
    return true
  },
})
