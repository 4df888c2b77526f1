import { laterThan } from '#src/domain/precondition.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { tell, usersWithRole } from '#src/storage/notifications/notifications.ts'
import { updateWebhookRow, type WebhookRow, webhooksOf } from '#src/storage/webhooks/webhooks.ts'

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
