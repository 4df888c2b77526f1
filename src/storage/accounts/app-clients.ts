import type { Network } from '#src/auth/client-address.ts'
import { type Db, query } from '#src/sql/query.ts'

export interface AppClient {
  client_id: string
  /** JSON text. */
  metadata: string
  /** Where it registered from; null: an operator made it. */
  address: string | null
  created_at: string
}

const insertRow = query((p: AppClient, sql) =>
  sql.insertInto('app_client').values({
    client_id: p.client_id,
    metadata: p.metadata,
    address: p.address,
    created_at: p.created_at,
  }),
)
const rowOf = query((p: { client_id: string }, sql) =>
  sql.selectFrom('app_client').select('metadata').where('client_id', '=', p.client_id),
)
const recent = query((p: { from: string; to: string; since: string }, sql) =>
  sql
    .selectFrom('app_client')
    .select(['address', 'created_at'])
    .where('address', '>=', p.from)
    .where('address', '<', p.to)
    .where('created_at', '>', p.since)
    .orderBy('created_at', 'desc'),
)
const all = query((_: object, sql) =>
  sql
    .selectFrom('app_client')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('address', 'is not', null),
)
const unused = query((p: { before: string; limit: number }, sql) =>
  sql.deleteFrom('app_client').where('id', 'in', (eb) =>
    eb
      .selectFrom('app_client')
      .select('app_client.id')
      .where('app_client.address', 'is not', null)
      .where('app_client.created_at', '<', p.before)
      .where((e) =>
        e.not(
          e.exists(
            e.selectFrom('app').select('app.app_id').whereRef('app.client_id', '=', 'app_client.client_id'),
          ),
        ),
      )
      .orderBy('app_client.id')
      .limit(p.limit),
  ),
)

export async function insertClient(db: Db, client: AppClient): Promise<void> {
  await db.enqueue(insertRow, client)
}

export async function clientMetadata(db: Db, client_id: string): Promise<string | null> {
  return (await db.get(rowOf, { client_id }))?.metadata ?? null
}

/** When clients registered from a network since then, newest first. */
export async function registrationsFrom(
  db: Db,
  { from, to, includes }: Network,
  since: string,
): Promise<string[]> {
  const rows = await db.all(recent, { from, to, since })
  return rows.flatMap(({ address, created_at }) => (includes(address!) ? [created_at] : []))
}

/** How many have registered themselves. */
export const countClients = async (db: Db): Promise<number> => (await db.get(all, {}))?.n ?? 0

/** Those from before that time that no app comes from, oldest first. Answers how many. */
export async function deleteUnusedClients(db: Db, before: string, limit: number): Promise<number> {
  return (await db.run(unused, { before, limit })).changes
}
