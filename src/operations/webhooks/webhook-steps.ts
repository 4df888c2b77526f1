import { conflict } from '#src/domain/errors.ts'
import { laterThan } from '#src/domain/precondition.ts'
import { Reply } from '#src/domain/reply.ts'
import { firstUlidAt, type Ulid } from '#src/domain/ulid.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { giveUpWebhook } from '#src/operations/webhooks/end-webhooks.ts'
import { type GivenChoice, storedChoice } from '#src/operations/webhooks/webhook-choice.ts'
import { storedFilter } from '#src/operations/views/store-view.ts'
import { toWebhook } from '#src/operations/webhooks/webhook-schemas.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import { insertTest, resumeDeliveries } from '#src/storage/webhooks/deliveries.ts'
import {
  countWebhooks,
  findWebhook,
  insertWebhook,
  updateWebhookRow,
  webhookOf,
  type WebhookRow,
} from '#src/storage/webhooks/webhooks.ts'

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
  still: 'owner',
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
      suspended_at: null,
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
  still: 'owner',
  async run(context, { webhook_id, url, description, enabled, ...given }: WebhookChange) {
    const { db, now } = context
    const old = await webhookOf(db, webhook_id)
    const { choice, warnings } = await storedChoice(context, given, old)
    const isResumed = enabled === true && !old.enabled
    // One that does not hold any more would disable it again at the next event.
    if (isResumed && old.filter !== null && choice.filter === undefined)
      warnings.push(...(await storedFilter(context, JSON.parse(old.filter))).warnings)
    const changed: WebhookRow = {
      ...old,
      ...choice,
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
    }
    // To another address nothing has failed yet.
    const isMoved = changed.url !== old.url && old.enabled && enabled !== false
    if (isMoved || isResumed) await resume(context, changed)
    const taken_over = old.suspended_at !== null && changed.enabled === 1
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
          ...(taken_over && { taken_over_from: old.created_by }),
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

/** It goes on where it stood, but not with what nobody waits for any more. One without an owner is the caller's from now on. */
async function resume({ db, caller, now }: SqlContext, webhook: WebhookRow): Promise<void> {
  const oldest = firstUlidAt(Math.max(0, now.getTime() - RESUMED))
  await resumeDeliveries(db, webhook.id, oldest, now)
  const position = webhook.position > oldest ? webhook.position : oldest
  Object.assign(webhook, { enabled: 1, disabled_at: null, disabled_reason: null, position })
  if (webhook.suspended_at !== null)
    Object.assign(webhook, { suspended_at: null, created_by: caller.user_id })
}

/** Keeps a test that is about to be sent. */
export const addTest = defineStep({
  name: 'addTest',
  effect: 'write',
  async run({ db, now, newId }, { webhook_id }: { webhook_id: string }): Promise<{ delivery_id: Ulid }> {
    const { id } = await webhookOf(db, webhook_id)
    const delivery_id = newId()
    await insertTest(db, id, delivery_id, now)
    return { delivery_id }
  },
})

/** Disables a webhook whose filter does not hold; false where it has another one by now, is disabled or gone. */
export const disableWebhook = defineStep({
  name: 'disableWebhook',
  effect: 'write',
  async run(
    context,
    { webhook_id, filter, reason }: { webhook_id: Ulid; filter: string | null; reason: string },
  ): Promise<boolean> {
    const webhook = await findWebhook(context.db, webhook_id)
    if (!webhook?.enabled || webhook.filter !== filter) return false
    await giveUpWebhook(context, webhook, reason)
    return true
  },
})
