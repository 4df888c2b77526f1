import type { Insertable, Selectable } from 'kysely'
import { notFound } from '#src/domain/errors.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { WebhookTable } from '#src/sql/tables.ts'

export type WebhookRow = Selectable<WebhookTable>

const insertRow = query((p: Insertable<WebhookTable>, sql) =>
  sql.insertInto('webhook').values({
    webhook_id: p.webhook_id,
    url: p.url,
    event_types: p.event_types,
    tag_ids: p.tag_ids,
    filter: p.filter,
    description: p.description,
    secret: p.secret,
    secret_id: p.secret_id,
    enabled: p.enabled,
    created_by: p.created_by,
    created_at: p.created_at,
    updated_at: p.updated_at,
    position: p.position,
  }),
)
const rowById = query((p: { webhook_id: Ulid }, sql) =>
  sql.selectFrom('webhook').selectAll().where('webhook_id', '=', p.webhook_id),
)
const rowByRow = query((p: { id: number }, sql) =>
  sql.selectFrom('webhook').selectAll().where('id', '=', p.id),
)
const rowsBefore = query((p: { before: string; limit: number }, sql) =>
  sql
    .selectFrom('webhook')
    .selectAll()
    .where('webhook_id', '<', p.before)
    .orderBy('webhook_id', 'desc')
    .limit(p.limit),
)
const rowsOf = query((p: { created_by: Ulid }, sql) =>
  sql.selectFrom('webhook').selectAll().where('created_by', '=', p.created_by).orderBy('id'),
)
const counted = query((_: object, sql) =>
  sql.selectFrom('webhook').select(({ fn }) => fn.countAll<number>().as('n')),
)
const updateRow = query((p: Omit<WebhookRow, 'secret' | 'secret_id' | 'created_at'>, sql) =>
  sql
    .updateTable('webhook')
    .set({
      url: p.url,
      event_types: p.event_types,
      tag_ids: p.tag_ids,
      filter: p.filter,
      description: p.description,
      enabled: p.enabled,
      disabled_at: p.disabled_at,
      disabled_reason: p.disabled_reason,
      updated_at: p.updated_at,
      position: p.position,
      suspended_at: p.suspended_at,
      created_by: p.created_by,
    })
    .where('id', '=', p.id),
)
const deleteRow = query((p: { id: number }, sql) => sql.deleteFrom('webhook').where('id', '=', p.id))
const moveRow = query((p: { id: number; from: string; to: string }, sql) =>
  sql
    .updateTable('webhook')
    .set({ position: p.to })
    .where('id', '=', p.id)
    .where('position', '=', p.from)
    .where('enabled', '=', 1),
)

export async function insertWebhook(db: Db, webhook: Insertable<WebhookTable>): Promise<void> {
  await db.enqueue(insertRow, webhook)
}

export const findWebhook = (db: Db, webhook_id: Ulid): Promise<WebhookRow | undefined> =>
  db.get(rowById, { webhook_id })

/** By row id. */
export const webhookOfRow = (db: Db, id: number): Promise<WebhookRow | undefined> => db.get(rowByRow, { id })

/** @throws NotFound */
export async function webhookOf(db: Db, given: string): Promise<WebhookRow> {
  const webhook_id = parseUlid(given)
  const found = webhook_id && (await findWebhook(db, webhook_id))
  if (!found) throw notFound('webhook', given, { suggestion: 'List them with GET /api/webhooks' })
  return found
}

/** Greater than every id. */
const END = '~'

/** Newest first, before one or from the newest on. */
export const webhooksBefore = (db: Db, before: Ulid | undefined, limit: number): Promise<WebhookRow[]> =>
  db.all(rowsBefore, { before: before ?? END, limit })

/** Those that somebody made, or took over. */
export const webhooksOf = (db: Db, created_by: Ulid): Promise<WebhookRow[]> => db.all(rowsOf, { created_by })

export const countWebhooks = async (db: Db): Promise<number> => (await db.get(counted, {}))!.n

export async function updateWebhookRow(db: Db, webhook: WebhookRow): Promise<void> {
  await db.enqueue(updateRow, webhook)
}

/** With its deliveries. */
export async function deleteWebhookRow(db: Db, id: number): Promise<void> {
  await db.enqueue(deleteRow, { id })
}

/** False: it is elsewhere by now, or is disabled. */
export async function moveWebhook(db: Db, id: number, from: string, to: string): Promise<boolean> {
  return (await db.run(moveRow, { id, from, to })).changes > 0
}
