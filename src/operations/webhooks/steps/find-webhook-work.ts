import { defineStep } from '#src/operations/step.ts'
import { webhookWork, type WebhookWork } from '#src/storage/webhooks/due-deliveries.ts'

/** What there is to do for each enabled webhook. */
export const findWebhookWork = defineStep({
  name: 'findWebhookWork',
  effect: 'read',
  run: ({ db, now }, { limit }: { limit: number }): Promise<WebhookWork[]> => webhookWork(db, now, limit),
})
