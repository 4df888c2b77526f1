import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

/** Of each webhook, besides what is still to be sent. */
const MOST_RETAINED = 10_000

const webhooks = query((_: object, sql) => sql.selectFrom('webhook').select('id').orderBy('id'))
const lastKept = query((p: { webhook: number; offset: number }, sql) =>
  sql
    .selectFrom('webhook_delivery')
    .select('delivery_id')
    .where('webhook', '=', p.webhook)
    .where('status', '=', 'delivered')
    .orderBy('delivery_id', 'desc')
    .limit(1)
    .offset(p.offset),
)
const dropBefore = query((p: { webhook: number; before: Ulid; limit: number }, sql) =>
  sql.deleteFrom('webhook_delivery').where('id', 'in', (e) =>
    e
      .selectFrom('webhook_delivery')
      .select('id')
      .where('webhook', '=', p.webhook)
      .where('delivery_id', '<', p.before)
      .where((each) => each.or([each('status', '=', 'delivered'), each('event_id', 'is', null)]))
      .where('next_attempt_at', 'is', null)
      .orderBy('delivery_id')
      .limit(p.limit),
  ),
)

/** Deletes what is done and older than that id, and all but the newest; at most `limit` of each webhook. True: there is more. */
export async function dropOldDeliveries(db: Db, before: Ulid, limit: number): Promise<boolean> {
  let more = false
  for (const { id } of await db.all(webhooks, {})) {
    const kept = await db.get(lastKept, { webhook: id, offset: MOST_RETAINED - 1 })
    const oldest = kept && kept.delivery_id > before ? kept.delivery_id : before
    const { changes } = await db.run(dropBefore, { webhook: id, before: oldest, limit })
    if (changes >= limit) more = true
  }
  return more
}
