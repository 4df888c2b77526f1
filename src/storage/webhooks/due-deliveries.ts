import { type SqlBool, sql as rawSql } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'

/** What there is to do for an enabled webhook. */
export interface WebhookWork {
  webhook_id: Ulid
  /** There are events that it has not been asked of. */
  behind: boolean
  /** Ids of deliveries whose time has come, longest due first. */
  due: Ulid[]
}

const enabled = query((_: object, sql) =>
  sql.selectFrom('webhook').select(['id', 'webhook_id', 'position']).where('enabled', '=', 1).orderBy('id'),
)

/** What is due: what has come by now, and what is later than `latest`, as where the clock was ahead when it was set. */
export interface DueBounds {
  now: Date
  latest: Date
  /** Of each webhook, and of each of the two. */
  limit: number
}

/** What there is to do for each. */
export async function webhookWork(db: Db, bounds: DueBounds): Promise<WebhookWork[]> {
  const webhooks = await db.all(enabled, {})
  if (!webhooks.length) return []
  const head = (await newestEvent(db)) ?? ''
  const due = await dueDeliveries(
    db,
    webhooks.map(({ id }) => id),
    bounds,
  )
  return webhooks.map(({ id, webhook_id, position }) => ({
    webhook_id,
    behind: position < head,
    due: due.filter(({ webhook }) => webhook === id).map(({ delivery_id }) => delivery_id),
  }))
}

interface Due {
  webhook: number
  delivery_id: Ulid
}

/** Each webhook is a walk of its own along the index: how many are due with others does not matter. */
function dueDeliveries(
  db: Db,
  webhooks: readonly number[],
  { now, latest, limit }: DueBounds,
): Promise<Due[]> {
  const { builder } = db.dialect
  const branch = (webhook: number, compared: '<=' | '>', time: Date) =>
    builder
      .selectFrom('webhook_delivery')
      .select(['webhook', 'delivery_id', 'next_attempt_at', 'id'])
      .where('webhook', '=', webhook)
      .where('next_attempt_at', compared, time.toISOString())
      .orderBy('next_attempt_at')
      .orderBy('id')
      .limit(limit)
      .as('due')
  const [first, ...others] = webhooks
    .flatMap((webhook) => [branch(webhook, '<=', now), branch(webhook, '>', latest)])
    .map((each) => builder.selectFrom(each).select(['webhook', 'delivery_id', 'next_attempt_at', 'id']))
  const all = others.reduce((union, each) => union.unionAll(each), first!)
  return db.select<Due>(all.orderBy('next_attempt_at').orderBy('id'))
}

const oldestPending = query((_: object, sql) =>
  sql
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook as w', 'w.id', 'd.webhook')
    .select(({ fn }) => fn.min('d.event_id').as('event_id'))
    .where('w.enabled', '=', 1)
    .where(rawSql<SqlBool>`d.status = 'pending'`),
)
const firstUnasked = query((_: object, sql) =>
  sql
    .selectFrom('audit_event')
    .select('event_id')
    .where('event_id', '>', (e) =>
      e
        .selectFrom('webhook')
        .select(({ fn }) => fn.min('position').as('position'))
        .where('enabled', '=', 1),
    )
    .orderBy('event_id')
    .limit(1),
)
const states = query((_: object, sql) =>
  sql
    .selectFrom('webhook')
    .select(({ fn, ref }) => [
      fn.countAll<number>().as('webhooks'),
      rawSql<number>`coalesce(sum(${ref('enabled')}), 0)`.as('enabled'),
      rawSql<number>`coalesce(sum(case when ${ref('disabled_reason')} is null then 0 else 1 end), 0)`.as(
        'given_up',
      ),
    ]),
)

export interface WebhookFigures {
  /** The oldest event that an enabled webhook has not been sent yet; null: none waits. */
  oldest: Ulid | null
  enabled: number
  /** By an owner. */
  disabled: number
  /** By the service. */
  given_up: number
}

export async function webhookFigures(db: Db): Promise<WebhookFigures> {
  const found = (await db.get(states, {}))!
  const [webhooks, active, given_up] = [found.webhooks, found.enabled, found.given_up]
  const waiting = active
    ? [(await db.get(oldestPending, {}))?.event_id, (await db.get(firstUnasked, {}))?.event_id]
    : []
  const oldest = waiting.flatMap((id) => id ?? []).toSorted()[0] ?? null
  return { oldest, enabled: active, disabled: webhooks - active - given_up, given_up }
}
