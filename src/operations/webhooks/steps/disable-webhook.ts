import type { Ulid } from '#src/domain/ulid.ts'
import { defineStep } from '#src/operations/step.ts'
import { giveUpWebhook } from '#src/operations/webhooks/give-up-webhook.ts'
import { findWebhook } from '#src/storage/webhooks/webhooks.ts'

/** Disables a webhook that cannot be served; false where it is disabled or gone already. */
export const disableWebhook = defineStep({
  name: 'disableWebhook',
  effect: 'write',
  async run(context, { webhook_id, reason }: { webhook_id: Ulid; reason: string }): Promise<boolean> {
    const webhook = await findWebhook(context.db, webhook_id)
    if (!webhook?.enabled) return false
    await giveUpWebhook(context, webhook, reason)
    return true
  },
})
