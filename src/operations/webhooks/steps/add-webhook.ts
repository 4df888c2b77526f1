import { conflict } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { defineStep } from '#src/operations/step.ts'
import { type GivenChoice, storedChoice } from '#src/operations/webhooks/webhook-choice.ts'
import { toWebhook } from '#src/operations/webhooks/webhook-schemas.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import { countWebhooks, insertWebhook } from '#src/storage/webhooks/webhooks.ts'

const MAX_WEBHOOKS = 100

interface KeptWebhook extends GivenChoice {
  url: string
  /** Sealed. */
  secret: string
  secret_id: string
  description?: string | null | undefined
}

/** Keeps a new webhook: it is sent what comes after it. */
export const addWebhook = defineStep({
  name: 'addWebhook',
  effect: 'write',
  async run(context, { url, secret, secret_id, description = null, ...given }: KeptWebhook) {
    const { db, caller, now, newId } = context
    if ((await countWebhooks(db)) >= MAX_WEBHOOKS)
      throw conflict(`There are ${MAX_WEBHOOKS} webhooks already`, {
        suggestion: 'Delete one with DELETE /api/webhooks/{webhook_id}',
      })
    const { choice, warnings } = await storedChoice(context, given)
    const { event_types = null, tag_ids = null, filter = null } = choice
    const created_at = now.toISOString()
    const webhook = {
      id: 0,
      webhook_id: newId(),
      url,
      event_types,
      tag_ids,
      filter,
      description,
      secret,
      secret_id,
      enabled: 1,
      disabled_at: null,
      disabled_reason: null,
      created_by: caller.user_id,
      created_at,
      updated_at: created_at,
      position: (await newestEvent(db)) ?? '',
    }
    await insertWebhook(db, webhook)
    await appendSecurityEvent(db, context, {
      event_type: 'webhook_created',
      user_id: null,
      details: { webhook_id: webhook.webhook_id, host: new URL(url).host },
    })
    return new Reply(JSON.stringify(toWebhook(webhook)), { warnings })
  },
})
