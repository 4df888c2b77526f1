import { type Selectable, type SqlBool, sql as rawSql } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { WebhookDeliveryTable } from '#src/sql/tables.ts'

export type DeliveryRow = Selectable<WebhookDeliveryTable>

/** As it is shown: with what its event concerns. */
export interface AnsweredDelivery extends Omit<DeliveryRow, 'id' | 'webhook' | 'lane' | 'failures'> {
  event_type: string | null
  item_id: Ulid | null
  tag_id: Ulid | null
}

const ANSWERED = [
  'd.delivery_id',
  'd.event_id',
  'e.event_type',
  'e.item_id',
  'e.tag_id',
  'd.status',
  'd.attempts',
  'd.response_status',
  'd.error',
  'd.created_at',
  'd.last_attempt_at',
  'd.next_attempt_at',
] as const

/** Literal, so that the index of pending ones is found. */
const PENDING = rawSql<SqlBool>`status = 'pending'`

const insertRows = rowInserter('webhook_delivery', [
  'delivery_id',
  'webhook',
  'event_id',
  'lane',
  'status',
  'attempts',
  'failures',
  'error',
  'created_at',
])
const page = query((p: { webhook: number; before: string; limit: number }, sql) =>
  sql
    .selectFrom('webhook_delivery as d')
    .leftJoin('audit_event as e', 'e.event_id', 'd.event_id')
    .select(ANSWERED)
    .where('d.webhook', '=', p.webhook)
    .where('d.delivery_id', '<', p.before)
    .orderBy('d.delivery_id', 'desc')
    .limit(p.limit),
)
const told = query((p: { delivery_id: Ulid }, sql) =>
  sql
    .selectFrom('webhook_delivery as d')
    .leftJoin('audit_event as e', 'e.event_id', 'd.event_id')
    .select(ANSWERED)
    .where('d.delivery_id', '=', p.delivery_id),
)
const rowById = query((p: { delivery_id: Ulid }, sql) =>
  sql.selectFrom('webhook_delivery').selectAll().where('delivery_id', '=', p.delivery_id),
)
const firstOfLane = query((p: { webhook: number; lane: string }, sql) =>
  sql
    .selectFrom('webhook_delivery')
    .select('delivery_id')
    .where('webhook', '=', p.webhook)
    .where('lane', '=', p.lane)
    .where(PENDING)
    .orderBy('id')
    .limit(1),
)
/** The first pending one of each lane is due; the others wait for it (decision 44). */
const FIRST = rawSql<SqlBool>`not exists (select 1 from webhook_delivery earlier
  where earlier.webhook = webhook_delivery.webhook and earlier.lane = webhook_delivery.lane
  and earlier.status = 'pending' and earlier.id < webhook_delivery.id)`
const schedule = query((p: { webhook: number; lanes: string; now: string }, sql, dialect) =>
  sql
    .updateTable('webhook_delivery')
    .set({ next_attempt_at: p.now })
    .where('webhook', '=', p.webhook)
    .where('lane', 'in', dialect.texts(p.lanes))
    .where(PENDING)
    .where('next_attempt_at', 'is', null)
    .where(FIRST),
)
const scheduleAll = query((p: { webhook: number; now: string }, sql) =>
  sql
    .updateTable('webhook_delivery')
    .set({ next_attempt_at: p.now })
    .where('webhook', '=', p.webhook)
    .where(PENDING)
    .where(FIRST),
)
const setTime = query((p: { id: number; next_attempt_at: string }, sql) =>
  sql.updateTable('webhook_delivery').set({ next_attempt_at: p.next_attempt_at }).where('id', '=', p.id),
)
type Outcome = Pick<
  DeliveryRow,
  | 'id'
  | 'status'
  | 'attempts'
  | 'failures'
  | 'response_status'
  | 'error'
  | 'last_attempt_at'
  | 'next_attempt_at'
>
const setOutcome = query((p: Outcome, sql) =>
  sql
    .updateTable('webhook_delivery')
    .set({
      status: p.status,
      attempts: p.attempts,
      failures: p.failures,
      response_status: p.response_status,
      error: p.error,
      last_attempt_at: p.last_attempt_at,
      next_attempt_at: p.next_attempt_at,
    })
    .where('id', '=', p.id),
)
const dropUnsent = query((p: { webhook: number; before: string }, sql) =>
  sql
    .deleteFrom('webhook_delivery')
    .where('webhook', '=', p.webhook)
    .where('status', '<>', 'delivered')
    .where('event_id', '<', p.before),
)
const beginAgain = query((p: { webhook: number }, sql) =>
  sql
    .updateTable('webhook_delivery')
    .set({ status: 'pending', failures: 0 })
    .where('webhook', '=', p.webhook)
    .where('status', '<>', 'delivered')
    .where('event_id', 'is not', null),
)

/** Greater than every id. */
const END = '~'

/** Newest first. */
export async function deliveriesOf(
  db: Db,
  webhook: number,
  { limit, after }: { limit: number; after: Ulid | undefined },
): Promise<{ rows: AnsweredDelivery[]; next: Ulid | null }> {
  const rows = await db.all(page, { webhook, before: after ?? END, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  return { rows: shown, next: rows.length > limit ? shown.at(-1)!.delivery_id : null }
}

export const answeredDelivery = async (db: Db, delivery_id: Ulid): Promise<AnsweredDelivery> =>
  (await db.get(told, { delivery_id }))!

export const findDelivery = (db: Db, delivery_id: Ulid): Promise<DeliveryRow | undefined> =>
  db.get(rowById, { delivery_id })

/** The pending one that the others of its lane wait for. */
export const firstPending = async (db: Db, webhook: number, lane: string): Promise<Ulid | undefined> =>
  (await db.get(firstOfLane, { webhook, lane }))?.delivery_id

export interface NewDelivery {
  delivery_id: Ulid
  event_id: Ulid
  lane: string
}

/** Keeps what is to be sent, in the order given; the first of each lane is due at once. */
export async function insertDeliveries(
  db: Db,
  webhook: number,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<void> {
  const created_at = now.toISOString()
  await insertRows(
    db,
    deliveries.map(({ delivery_id, event_id, lane }) => [
      delivery_id,
      webhook,
      event_id,
      lane,
      'pending',
      0,
      0,
      null,
      created_at,
    ]),
  )
  await scheduleLanes(
    db,
    webhook,
    deliveries.map(({ lane }) => lane),
    now,
  )
}

/** A test counts as failed until it has been answered; it holds nothing back and is sent once. */
export async function insertTest(db: Db, webhook: number, delivery_id: Ulid, now: Date): Promise<void> {
  const row = [delivery_id, webhook, null, '', 'failed', 0, 0, 'it was not answered', now.toISOString()]
  await insertRows(db, [row])
}

/** What is the first of these lanes now is due, unless it waits for its next attempt already. */
export async function scheduleLanes(
  db: Db,
  webhook: number,
  lanes: readonly string[],
  now: Date,
): Promise<void> {
  await db.enqueue(schedule, { webhook, lanes: JSON.stringify([...new Set(lanes)]), now: now.toISOString() })
}

export async function attemptAt(db: Db, id: number, at: Date): Promise<void> {
  await db.enqueue(setTime, { id, next_attempt_at: at.toISOString() })
}

export async function storeOutcome(db: Db, outcome: Outcome): Promise<void> {
  await db.enqueue(setOutcome, outcome)
}

/** What is not delivered starts again, the first of each lane at once; events from before `oldest` are given up. */
export async function resumeDeliveries(db: Db, webhook: number, oldest: Ulid, now: Date): Promise<void> {
  await db.enqueue(dropUnsent, { webhook, before: oldest })
  await db.enqueue(beginAgain, { webhook })
  await db.enqueue(scheduleAll, { webhook, now: now.toISOString() })
}
