import { laterThan } from '#src/domain/precondition.ts'
import { Reply } from '#src/domain/reply.ts'
import { sameJson } from '#src/domain/same-json.ts'
import { firstUlidAt } from '#src/domain/ulid.ts'
import type { SqlContext } from '#src/operations/operation.ts'
import { defineStep } from '#src/operations/step.ts'
import { type GivenChoice, storedChoice } from '#src/operations/webhooks/webhook-choice.ts'
import { toWebhook } from '#src/operations/webhooks/webhook-schemas.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { resumeDeliveries } from '#src/storage/webhooks/deliveries.ts'
import { updateWebhookRow, webhookOf, type WebhookRow } from '#src/storage/webhooks/webhooks.ts'

/** How far back an enabled webhook goes on. */
const RESUMED = 30 * 24 * 60 * 60 * 1000

interface WebhookChange extends GivenChoice {
  webhook_id: string
  url?: string
  description?: string | null | undefined
  enabled?: boolean | undefined
}

/** Changes a webhook; what is not given stays. */
export const changeWebhook = defineStep({
  name: 'changeWebhook',
  effect: 'write',
  async run(context, { webhook_id, url, description, enabled, ...given }: WebhookChange) {
    const { db, now } = context
    const old = await webhookOf(db, webhook_id)
    // What was read can be sent back, also when a tag in it has been deleted since.
    if (given.filter && old.filter !== null && sameJson(given.filter, JSON.parse(old.filter)))
      delete given.filter
    const { choice, warnings } = await storedChoice(context, given)
    const changed: WebhookRow = {
      ...old,
      ...choice,
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
    }
    if (enabled === true && !old.enabled) await resume(context, changed)
    if (enabled === false && old.enabled)
      Object.assign(changed, { enabled: 0, disabled_at: now.toISOString(), disabled_reason: null })
    const fields = (Object.keys(changed) as (keyof WebhookRow)[]).filter((key) => changed[key] !== old[key])
    if (fields.length) {
      changed.updated_at = laterThan(old.updated_at, now)
      await updateWebhookRow(db, changed)
      await appendSecurityEvent(db, context, {
        event_type: 'webhook_changed',
        user_id: null,
        details: {
          webhook_id: old.webhook_id,
          host: new URL(changed.url).host,
          changed: fields.filter((key) => CHOSEN.includes(key)),
          enabled: changed.enabled === 1,
        },
      })
    }
    return new Reply(JSON.stringify(toWebhook(changed)), { warnings })
  },
})

/** What an owner gives. */
const CHOSEN: readonly (keyof WebhookRow)[] = [
  'url',
  'event_types',
  'tag_ids',
  'filter',
  'description',
  'enabled',
]

/** It goes on where it stood, but not with what nobody waits for any more. */
async function resume({ db, now }: SqlContext, webhook: WebhookRow): Promise<void> {
  const oldest = firstUlidAt(Math.max(0, now.getTime() - RESUMED))
  await resumeDeliveries(db, webhook.id, oldest, now)
  const position = webhook.position > oldest ? webhook.position : oldest
  Object.assign(webhook, { enabled: 1, disabled_at: null, disabled_reason: null, position })
}
