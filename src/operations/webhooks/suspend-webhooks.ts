import { laterThan } from '#src/domain/precondition.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { giveUpWebhook } from '#src/operations/webhooks/give-up-webhook.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { updateWebhookRow, webhooksOf } from '#src/storage/webhooks/webhooks.ts'

/** Stops the webhooks of somebody who is no owner any more, disabled ones too: nobody but an owner may go on with them. */
export async function suspendWebhooks(context: SqlContext, user_id: Ulid, reason: string): Promise<void> {
  const { db, now } = context
  for (const webhook of await webhooksOf(db, user_id)) {
    if (webhook.suspended_at !== null) continue
    const suspended = { ...webhook, suspended_at: now.toISOString() }
    if (webhook.enabled) await giveUpWebhook(context, suspended, reason)
    else await updateWebhookRow(db, { ...suspended, updated_at: laterThan(webhook.updated_at, now) })
  }
}
