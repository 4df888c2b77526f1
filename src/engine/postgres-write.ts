import type pg from 'pg'
import { outcomeUnknown } from '#src/engine/ended.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'

/** A number that nothing else locks by: one write transaction at a time over all processes, as SQLite has it. */
export const WRITE_LOCK = '112568789365879'
/** In `user_write`, where what was written concerns more than who wrote it. No user has this id. */
export const EVERYBODY = ''

/**
 * Begins a transaction each of whose statements may take this many milliseconds. Whatever isolation the database has by
 * default, what others have committed is seen. Plans of prepared statements outlive the size that a table had when they
 * were made, and a write looks rows up by key: it reads no table whole, however small that is.
 */
export const beginTransaction = (client: pg.ClientBase, timeout: number): Promise<unknown> =>
  client.query(
    `${postgresDialect.begin.write}; set local enable_seqscan = off; set local jit = off; set local statement_timeout = ${timeout}`,
  )

/** Waits until no other process writes. The lock ends with the transaction, so that poolers may hand the connection on. */
export const takeTurn = (client: pg.ClientBase): Promise<unknown> =>
  client.query(`select pg_advisory_xact_lock(${WRITE_LOCK})`)

/** Begins a transaction when no other process writes: what others have written while it waited is seen. */
export async function beginWrite(client: pg.ClientBase, timeout = 0): Promise<void> {
  await Promise.all([beginTransaction(client, timeout), takeTurn(client)])
}

/**
 * Last in a write transaction: leaves in the database what a lost COMMIT is looked up by, and how far a replica must
 * be before these users read from it.
 */
export async function markWrite(
  client: pg.ClientBase,
  marker: string,
  users: readonly string[],
): Promise<void> {
  await client.query({
    name: 'write_batch',
    text: `with batch as (insert into write_batch (id) values ($1) returning number)
      insert into user_write (user_id, number) select u, number from batch, unnest($2::text[]) u
      on conflict (user_id) do update set number = excluded.number`,
    values: [marker, users],
  })
}

/** @throws ServiceUnavailable when the server says that a standby may not have it: a failover could lose it. */
export async function commitWrite(client: pg.PoolClient): Promise<void> {
  let unsure = false
  // "canceling wait for synchronous replication …", in the language of the server: whatever warns of a COMMIT. Its code
  // is 01000 where the wait was canceled, 57P01 where the connection is ended; what only informs has class 00.
  const listen = ({ code }: { code?: string | undefined }) => {
    unsure ||= !code?.startsWith('00')
  }
  client.on('notice', listen)
  try {
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
  } catch (error) {
    if (!unsure) throw error // who ends the connection is told so as well
  } finally {
    client.off('notice', listen)
  }
  if (unsure) throw unknownOutcome()
}

export const unknownOutcome = () => outcomeUnknown('The database was interrupted')

/** The number of the last write transaction that this user is to see; 0 for none. */
export async function newestWriteFor(client: pg.Pool, user_id: string): Promise<number> {
  const { rows } = await client.query<{ number: number }>({
    name: 'user_write',
    text: `select coalesce(max(number), 0) as number from user_write where user_id in ($1, '${EVERYBODY}')`,
    values: [user_id],
  })
  return rows[0]!.number
}

/** Row ids that the table gives to nothing else from now on, in their order. */
export async function nextRowIds(client: pg.Pool, table: string, count: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>({
    name: 'next_row_ids',
    text: `select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2::int)`,
    values: [table, count],
  })
  return rows.map(({ id }) => id)
}

/** Waits for statements that were sent one behind the other; throws what failed first, not what was reported first. */
export async function inOrder(answers: readonly Promise<unknown>[]): Promise<void> {
  for (const answer of answers) answer.catch(() => {})
  for (const answer of answers) await answer
}
