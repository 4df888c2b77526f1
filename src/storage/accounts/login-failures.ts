import type { FailureLimit } from '#src/auth/login-failures.ts'
import { type Db, query } from '#src/sql/query.ts'

const timesOf = query((p: { key: string; since: string }, sql) =>
  sql
    .selectFrom('login_failure')
    .select('failed_at')
    .where('key', '=', p.key)
    .where('failed_at', '>', p.since)
    .orderBy('failed_at'),
)
const insertRow = query((p: { key: string; failed_at: string }, sql) =>
  sql.insertInto('login_failure').values({ key: p.key, failed_at: p.failed_at }),
)
const deleteRows = query((p: { key: string }, sql) =>
  sql.deleteFrom('login_failure').where('key', '=', p.key),
)
const deleteFrom = query((p: { from: string; to: string }, sql) =>
  sql.deleteFrom('login_failure').where('key', '>=', p.from).where('key', '<', p.to),
)

/** When the key failed within the window before `now`, oldest first. */
export async function failuresOf(
  db: Db,
  key: string,
  now: Date,
  { window }: FailureLimit,
): Promise<string[]> {
  const since = new Date(now.getTime() - window).toISOString()
  return (await db.all(timesOf, { key, since })).map(({ failed_at }) => failed_at)
}

export async function insertFailure(db: Db, key: string, now: Date): Promise<void> {
  await db.enqueue(insertRow, { key, failed_at: now.toISOString() })
}

export async function clearFailures(db: Db, keys: readonly string[]): Promise<void> {
  for (const key of keys) await db.enqueue(deleteRows, { key })
}

/** Of an account (by `accountKeys`) from every address. */
export async function clearAllFailures(db: Db, accounts: readonly string[]): Promise<void> {
  // What begins with the key and a blank: '!' is the next character.
  for (const each of accounts) await db.enqueue(deleteFrom, { from: `${each} `, to: `${each}!` })
}
