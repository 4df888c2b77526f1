import { conflict, notFound, ServiceError } from '#src/domain/errors.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { LONGEST_PAUSE } from '#src/operations/webhooks/delivery-steps.ts'
import { type Delivery, toDelivery } from '#src/operations/webhooks/webhook-schemas.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import {
  attemptAt,
  findDelivery,
  firstPending,
  insertDeliveries,
  answeredDelivery,
} from '#src/storage/webhooks/deliveries.ts'
import {
  webhookFigures,
  type WebhookFigures,
  webhookWork,
  type WebhookWork,
} from '#src/storage/webhooks/due-deliveries.ts'
import { claimLease, deleteLease, type Lease, selectLease, type Turn } from '#src/storage/webhooks/lease.ts'
import {
  type EventHead,
  eventsAfter,
  eventsOfMatching,
  isFull,
  wantedEvents,
} from '#src/storage/webhooks/new-deliveries.ts'
import { findWebhook, moveWebhook, webhookOf, type WebhookRow } from '#src/storage/webhooks/webhooks.ts'

/** Moves the next attempt of a delivery to now. */
export const dueNow = defineStep({
  name: 'dueNow',
  effect: 'write',
  async run(
    { db, now },
    { webhook_id, delivery_id: given }: { webhook_id: string; delivery_id: string },
  ): Promise<Delivery> {
    const webhook = await webhookOf(db, webhook_id)
    const delivery_id = parseUlid(given)
    const delivery = delivery_id && (await findDelivery(db, delivery_id))
    if (!delivery || delivery.webhook !== webhook.id)
      throw notFound('delivery', given, {
        suggestion: 'List them with GET /api/webhooks/{webhook_id}/deliveries',
      })
    if (delivery.event_id === null)
      throw conflict('A test is not repeated', {
        suggestion: 'Send another one with POST /api/webhooks/{webhook_id}/test',
      })
    if (!webhook.enabled)
      throw conflict('The webhook is disabled, so nothing is sent to it', {
        suggestion:
          'Enable it with PUT /api/webhooks/{webhook_id} {"enabled": true}: what was not delivered is sent then',
      })
    const first =
      delivery.status === 'pending' ? await firstPending(db, webhook.id, delivery.lane) : delivery.delivery_id
    if (first !== delivery.delivery_id)
      throw conflict('An earlier delivery of the same item comes first', {
        suggestion: `Retry that one: ${first}`,
        details: { delivery_id: first },
      })
    await attemptAt(db, delivery.id, now)
    return toDelivery(await answeredDelivery(db, delivery.delivery_id))
  },
})

/** Events that a webhook is asked of at once. */
const PAGE = 200
/** This many deliveries of one webhook wait at most: what follows waits in the log. */
const MAX_WAITING = 10_000

/** What a webhook is to be sent of the events between where it is and `to`. */
export interface NewDeliveries {
  from: string
  to: string
  events: { event_id: Ulid; lane: string }[]
  more: boolean
}

/** A filter that does not hold any more, and why. */
export interface BrokenFilter {
  broken: string
  filter: string | null
}

/** Null: nothing at the moment (decision 44: the filter is asked of the item as it is now). Looked up without holding the writer, because a filter may take its time. */
export const findNewDeliveries = defineStep({
  name: 'findNewDeliveries',
  effect: 'read',
  async run(context, { webhook_id }: { webhook_id: Ulid }): Promise<NewDeliveries | BrokenFilter | null> {
    const { db } = context
    const webhook = await findWebhook(db, webhook_id)
    if (!webhook?.enabled || (await isFull(db, webhook, MAX_WAITING))) return null
    const events = await eventsAfter(db, webhook, PAGE)
    const last = events.at(-1)
    if (!last) return null
    try {
      const chosen = await chosenEvents(context, webhook, events)
      return {
        from: webhook.position,
        to: last.event_id,
        events: chosen.map(({ event_id, item_id, tag_id }) => ({
          event_id,
          lane: item_id ?? tag_id ?? event_id,
        })),
        more: events.length === PAGE,
      }
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'BadRequest')
        return { broken: error.message, filter: webhook.filter }
      throw error
    }
  },
})

async function chosenEvents(
  context: SqlContext,
  webhook: WebhookRow,
  events: readonly EventHead[],
): Promise<EventHead[]> {
  const wanted = wantedEvents(webhook, events)
  if (webhook.filter === null || !wanted.length) return wanted
  const { plan } = await readFilter(JSON.parse(webhook.filter), tagCatalog(context))
  return eventsOfMatching(context.db, plan, wanted)
}

/** Keeps what is to be sent, and that the webhook has been asked. False: it is elsewhere by now. */
export const queueDeliveries = defineStep({
  name: 'queueDeliveries',
  effect: 'write',
  async run(
    { db, now, newId },
    { webhook_id, from, to, events }: { webhook_id: Ulid } & NewDeliveries,
  ): Promise<boolean> {
    const webhook = await findWebhook(db, webhook_id)
    if (!webhook || !(await moveWebhook(db, webhook.id, from, to))) return false
    if (!events.length) return true
    await insertDeliveries(
      db,
      webhook.id,
      events.map((event) => ({ ...event, delivery_id: newId() })),
      now,
    )
    return true
  },
})

/** What there is to do for each enabled webhook. */
export const findWebhookWork = defineStep({
  name: 'findWebhookWork',
  effect: 'read',
  run: ({ db, now }, { limit }: { limit: number }): Promise<WebhookWork[]> =>
    webhookWork(db, { now, latest: new Date(now.getTime() + LONGEST_PAUSE), limit }),
})

/** What operators watch of webhooks. */
export const findWebhookFigures = defineStep({
  name: 'findWebhookFigures',
  effect: 'read',
  run: ({ db }): Promise<WebhookFigures> => webhookFigures(db),
})

/** Which process delivers; null: none. */
export const findLease = defineStep({
  name: 'findLease',
  effect: 'read',
  run: ({ db }, { turn }: { turn: Turn }) => selectLease(db, turn),
})

/** Whether it is this process's turn from now on, or still. */
export const takeLease = defineStep({
  name: 'takeLease',
  effect: 'write',
  run: (
    { db, newId },
    { turn, holder, expired }: { turn: Turn; holder: string; expired: Lease | null },
  ): Promise<boolean> => claimLease(db, turn, holder, newId(), expired),
})

/** Another process may go on at once. */
export const dropLease = defineStep({
  name: 'dropLease',
  effect: 'write',
  async run({ db }, { holder }: { holder: string }): Promise<null> {
    await deleteLease(db, holder)
    return null
  },
})
