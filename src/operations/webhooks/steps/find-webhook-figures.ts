import { defineStep } from '#src/operations/step.ts'
import { webhookFigures, type WebhookFigures } from '#src/storage/webhooks/due-deliveries.ts'

/** What operators watch of webhooks. */
export const findWebhookFigures = defineStep({
  name: 'findWebhookFigures',
  effect: 'read',
  run: ({ db }): Promise<WebhookFigures> => webhookFigures(db),
})
