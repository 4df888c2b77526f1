import { sql as rawSql } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { dropAnswersNaming } from '#src/storage/idempotency/stored-answers.ts'
import { redactProposals } from '#src/storage/proposals/redact-proposals.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'

const counted = query((p: { item_id: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(({ fn, ref }) => [
      fn.countAll<number>().as('known'),
      rawSql<
        number | null
      >`sum(case when ${ref('redacted')} = 0 and ${ref('event_type')} <> 'audit_redacted' then 1 else 0 end)`.as(
        'left',
      ),
    ])
    .where('item_id', '=', p.item_id),
)
const present = query((p: { item_id: Ulid }, sql) =>
  sql.selectFrom('item').select('id').where('item_id', '=', p.item_id),
)

/** Events of an item: how many there are, and how many still say what they did. */
export async function findEventsToRedact(
  db: Db,
  item_id: Ulid,
): Promise<{ known: number; left: number; exists: boolean }> {
  await requireWholeLog(db)
  const { known, left } = (await db.get(counted, { item_id }))!
  return { known, left: left ?? 0, exists: (await db.get(present, { item_id })) !== undefined }
}

const redact = query((p: { item_id: Ulid }, sql) =>
  sql
    .updateTable('audit_event')
    .set({ details: '{}', details_salt: null, state: null, redacted: 1 })
    .where('item_id', '=', p.item_id)
    .where('redacted', '=', 0)
    .where('event_type', '<>', 'audit_redacted'),
)
/** A sentence may name the item; without it, one is made of numbers. */
const forgetSummaries = query((p: { item_id: Ulid }, sql) =>
  sql
    .updateTable('change')
    .set({ summary: null, summary_salt: null })
    .where(
      'change_id',
      'in',
      sql
        .selectFrom('audit_event')
        .select(rawSql<string>`coalesce(change_id, event_id)`.as('change_id'))
        .where('item_id', '=', p.item_id),
    ),
)
/** They hold no content, but that it was sent; what is still to be sent is read from the log, where it is empty now. */
const dropDeliveries = query((p: { item_id: Ulid }, sql) =>
  sql.deleteFrom('webhook_delivery').where('lane', '=', p.item_id).where('status', '=', 'delivered'),
)

/** Empties what the log says of an item. It must say so already. */
export async function redactEvents(db: Db, item_id: Ulid): Promise<void> {
  await db.enqueue(redact, { item_id })
}

/**
 * Empties what is kept alongside the log of an item: also what has copied its content since its events were redacted.
 * Answers the proposals that had some.
 */
export async function redactCopies(db: Db, item_id: Ulid, now: Date): Promise<Ulid[]> {
  await db.enqueue(forgetSummaries, { item_id })
  await dropAnswersNaming(db, item_id)
  await db.enqueue(dropDeliveries, { item_id })
  return redactProposals(db, item_id, now)
}
