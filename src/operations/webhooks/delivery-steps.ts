import { firstUlidAt, type Ulid } from '#src/domain/ulid.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { giveUpWebhook } from '#src/operations/webhooks/end-webhooks.ts'
import { type Delivery, TEST_TYPE, toDelivery } from '#src/operations/webhooks/webhook-schemas.ts'
import { eventText } from '#src/storage/log/find-events.ts'
import {
  type DeliveryRow,
  findDelivery,
  scheduleLanes,
  storeOutcome,
  answeredDelivery,
} from '#src/storage/webhooks/deliveries.ts'
import { dropOldDeliveries } from '#src/storage/webhooks/old-deliveries.ts'
import { webhookOfRow, type WebhookRow } from '#src/storage/webhooks/webhooks.ts'

/** All that is sent, and where to. */
export interface DeliveryToSend extends Pick<WebhookRow, 'url' | 'secret' | 'secret_id'> {
  delivery_id: Ulid
  /** How often it was sent before. */
  attempts: number
  body: string
}

/** Null where nothing is to be sent any more. The event is read from the log each time: nothing else holds its content. */
export const findDeliveryToSend = defineStep({
  name: 'findDeliveryToSend',
  effect: 'read',
  async run({ db }, { delivery_id }: { delivery_id: Ulid }): Promise<DeliveryToSend | null> {
    const delivery = await findDelivery(db, delivery_id)
    const webhook = delivery && (await webhookOfRow(db, delivery.webhook))
    if (!webhook) return null
    const { url, secret, secret_id, webhook_id, description } = webhook
    const { event_id, created_at, next_attempt_at, attempts } = delivery
    if (event_id === null)
      return {
        delivery_id,
        attempts,
        url,
        secret,
        secret_id,
        body: testEvent(delivery_id, created_at, { webhook_id, description }),
      }
    const body = webhook.enabled && next_attempt_at !== null ? await eventText(db, event_id) : undefined
    return body === undefined ? null : { delivery_id, attempts, url, secret, secret_id, body }
  },
})

/** With the properties that every event has. */
const testEvent = (event_id: Ulid, created_at: string, details: object): string =>
  JSON.stringify({
    event_id,
    event_type: TEST_TYPE,
    entity_type: null,
    item_id: null,
    tag_id: null,
    user_id: null,
    source: 'rest',
    created_at,
    user_name: null,
    change_id: null,
    client: null,
    details,
    details_hash: null,
    details_salt: null,
    hash: null,
  })

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Milliseconds from a failed attempt to the next (additions §9). */
const RETRIES = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR]
/** What waits for longer was given its time by a clock that was ahead. */
export const LONGEST_PAUSE = Math.max(...RETRIES)

/** How an attempt ended. */
export interface AttemptOutcome {
  /** A 2xx came in time. */
  ok: boolean
  response_status: number | null
  error: string | null
}

/** Why the webhook was disabled by it, where it was. */
export interface Recorded {
  delivery: Delivery
  disabled: string | null
}

/** An attempt that is over. */
export interface Attempt extends AttemptOutcome {
  delivery_id: Ulid
  /** Of the delivery, when it was read. */
  attempts: number
}

/**
 * Notes how an attempt ended, and what comes next: the next attempt, the next of the lane, or the end. Null: it is gone.
 * Where another attempt was noted since the delivery was read, this one was not due: its failure does not count.
 */
export const recordAttempt = defineStep({
  name: 'recordAttempt',
  effect: 'write',
  async run(context, { delivery_id, attempts, ...outcome }: Attempt): Promise<Recorded | null> {
    const { db } = context
    const delivery = await findDelivery(db, delivery_id)
    if (!delivery) return null
    const counts = delivery.attempts === attempts || (outcome.ok && delivery.status === 'pending')
    const disabled = counts ? await record(context, delivery, outcome) : null
    return { delivery: toDelivery(await answeredDelivery(db, delivery_id)), disabled }
  },
})

async function record(
  context: SqlContext,
  delivery: DeliveryRow,
  { ok, response_status, error }: AttemptOutcome,
): Promise<string | null> {
  const { db, now } = context
  const isPending = delivery.status === 'pending'
  const failures = isPending && !ok ? delivery.failures + 1 : 0
  const pause = isPending && !ok ? RETRIES[failures - 1] : undefined
  const isOver = isPending && !ok && pause === undefined
  await storeOutcome(db, {
    id: delivery.id,
    status: statusAfter(delivery, { ok, isOver }),
    attempts: delivery.attempts + 1,
    failures,
    response_status,
    error,
    last_attempt_at: now.toISOString(),
    next_attempt_at: pause === undefined ? null : new Date(now.getTime() + pause).toISOString(),
  })
  if (isPending && ok) await scheduleLanes(db, delivery.webhook, [delivery.lane], now)
  if (!isOver) return null
  const webhook = (await webhookOfRow(db, delivery.webhook))!
  if (!webhook.enabled) return null
  const reason = `Delivery ${delivery.delivery_id} failed ${failures} times within 32 hours; the last time: ${error}`
  await giveUpWebhook(context, webhook, reason)
  return reason
}

/** One that was delivered before stays so, whatever became of sending it again. */
function statusAfter(
  { status, event_id }: DeliveryRow,
  { ok, isOver }: { ok: boolean; isOver: boolean },
): DeliveryRow['status'] {
  if (event_id === null) return ok ? 'delivered' : 'failed'
  if (ok) return 'delivered'
  return isOver ? 'failed' : status
}

/** What was delivered is kept so long. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000
/** Rows of each webhook in one transaction: other writes wait meanwhile. */
const BATCH = 1000

/** Deletes deliveries that are over; answers whether there are more. */
export const sweepDeliveries = defineStep({
  name: 'sweepDeliveries',
  effect: 'write',
  run: ({ db, now }): Promise<boolean> =>
    dropOldDeliveries(db, firstUlidAt(Math.max(0, now.getTime() - RETENTION_MS)), BATCH),
})
