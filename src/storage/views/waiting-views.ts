import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { VIEW_COLUMNS } from '#src/storage/views/views.ts'

type ViewColumn = (typeof VIEW_COLUMNS)[number]

/** Of a view and of one that waits, which has its owner's address in place of the owner. */
const COLUMNS = [
  'id',
  ...VIEW_COLUMNS.filter((each): each is Exclude<ViewColumn, 'user_id'> => each !== 'user_id'),
] as const

const addresses = query((_: object, sql) =>
  sql
    .selectFrom('waiting_view')
    .select(['owner_email', ({ fn }) => fn.countAll<number>().as('views')])
    .groupBy('owner_email')
    .orderBy('owner_email'),
)

/** The addresses for whose accounts imported views wait. */
export const waitingOwners = (db: Db): Promise<{ owner_email: string; views: number }[]> =>
  db.all(addresses, {})

const give = query((p: { user_id: Ulid; email_key: string }, db) =>
  db
    .insertInto('view')
    .columns(['user_id', ...COLUMNS])
    .expression(
      db
        .selectFrom('waiting_view')
        .innerJoin('account', (join) => join.on('account.user_id', '=', p.user_id))
        .select(['account.user_id', ...COLUMNS.map((column) => `waiting_view.${column}` as const)])
        .where('owner_email', '=', p.email_key),
    ),
)
const clear = query((p: { email_key: string }, sql) =>
  sql.deleteFrom('waiting_view').where('owner_email', '=', p.email_key),
)

/** Gives an account the views that wait for its address; their number. */
export async function giveWaitingViews(db: Db, user_id: Ulid, email_key: string): Promise<number> {
  const { changes } = await db.run(give, { user_id, email_key })
  await db.enqueue(clear, { email_key })
  return changes
}
