import { ServiceError } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import type { SqlContext } from '#src/operations/operation.ts'
import { defineStep } from '#src/operations/step.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import {
  type EventHead,
  eventsAfter,
  eventsOfMatching,
  isFull,
  wantedEvents,
} from '#src/storage/webhooks/new-deliveries.ts'
import { findWebhook, type WebhookRow } from '#src/storage/webhooks/webhooks.ts'

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

/** Null: nothing at the moment (decision 44: the filter is asked of the item as it is now). Looked up beside the writer, because a filter may take its time. */
export const findNewDeliveries = defineStep({
  name: 'findNewDeliveries',
  effect: 'read',
  async run(
    context,
    { webhook_id }: { webhook_id: Ulid },
  ): Promise<NewDeliveries | { broken: string } | null> {
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
      if (error instanceof ServiceError && error.code === 'BadRequest') return { broken: error.message }
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
