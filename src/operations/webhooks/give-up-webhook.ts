import { laterThan } from '#src/domain/precondition.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { tell, usersWithRole } from '#src/storage/notifications/notifications.ts'
import { updateWebhookRow, type WebhookRow } from '#src/storage/webhooks/webhooks.ts'

/** Disables a webhook on behalf of the service. What it was not sent stays for when it is enabled again. */
export async function giveUpWebhook(context: SqlContext, webhook: WebhookRow, reason: string): Promise<void> {
  const { db, now, caller } = context
  await updateWebhookRow(db, {
    ...webhook,
    enabled: 0,
    disabled_at: now.toISOString(),
    disabled_reason: reason,
    updated_at: laterThan(webhook.updated_at, now),
  })
  await appendSecurityEvent(db, context, {
    event_type: 'webhook_disabled',
    user_id: null,
    actor_id: null,
    details: { webhook_id: webhook.webhook_id, host: new URL(webhook.url).host, reason },
  })
  const owners = await usersWithRole(db, ['owner'])
  await tell(
    context,
    owners.filter((each) => each !== caller.user_id),
    { kind: 'webhook_disabled', about: webhook.webhook_id, done_by: caller.user_id },
  )
}
