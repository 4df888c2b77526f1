import { type SqlBool, sql as rawSql } from 'kysely'
import { tooManyRequests } from '#src/domain/errors.ts'
import type { StoredAnswer, KeyedRequest } from '#src/domain/idempotency.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

const LIFETIME = 24 * 60 * 60_000
/** Seconds after which the oldest may have gone. */
const WAIT = 3600

const find = query((p: { user_id: Ulid; key: string; now: string }, sql) =>
  sql
    .selectFrom('kept_answer')
    .select(['request_hash', 'answer'])
    .where('user_id', '=', p.user_id)
    .where('key', '=', p.key)
    .where('expires_at', '>', p.now),
)
const drop = query((p: { user_id: Ulid; key: string }, sql) =>
  sql.deleteFrom('kept_answer').where('user_id', '=', p.user_id).where('key', '=', p.key),
)
const insert = query(
  (p: { user_id: Ulid; key: string; request_hash: string; answer: string; expires_at: string }, sql) =>
    sql.insertInto('kept_answer').values({
      user_id: p.user_id,
      key: p.key,
      request_hash: p.request_hash,
      answer: p.answer,
      expires_at: p.expires_at,
    }),
)
const dropNaming = query((p: { id: Ulid }, sql) =>
  sql.deleteFrom('kept_answer').where(rawSql<SqlBool>`answer like '%' || cast(${p.id} as text) || '%'`),
)

const hold = query((p: { name: string }, sql, dialect) =>
  sql.selectNoFrom(dialect.names!.hold(p.name).as('held')),
)

/** By which processes know a key of an account among each other. */
export const keyName = (user_id: Ulid, key: string): string => `facet ${user_id} ${key}`

/** Until the COMMIT, so that other processes see that a request with the key is under way. */
export async function holdKey(db: Db, user_id: Ulid, key: string): Promise<void> {
  if (db.dialect.names) await db.enqueue(hold, { name: keyName(user_id, key) })
}

/** What was answered under a key, and to which request. */
export async function findStoredAnswer(
  db: Db,
  user_id: Ulid,
  key: string,
  now: Date,
): Promise<{ request_hash: string; answer: StoredAnswer } | undefined> {
  const row = await db.get(find, { user_id, key, now: now.toISOString() })
  return row && { request_hash: row.request_hash, answer: JSON.parse(row.answer) as StoredAnswer }
}

/** Of one account, in a day. */
const MAX_BYTES = 2 ** 30
/** What is shorter is not counted: what a change itself writes is more. */
const SHORT = 65_536

const bytesOf = query((p: { user_id: Ulid; now: string }, sql) =>
  sql
    .selectFrom('kept_answer')
    .select(rawSql<number>`coalesce(sum(octet_length(answer)), 0)`.as('bytes'))
    .where('user_id', '=', p.user_id)
    .where('expires_at', '>', p.now)
    // As in the index `kept_answer_long`.
    .where(rawSql<boolean>`octet_length(answer) > ${rawSql.lit(SHORT)}`),
)

/** @throws TooManyRequests where the account has no room for the answer; its change is then not made either */
async function checkRoom(db: Db, user_id: Ulid, answer: string, now: Date): Promise<void> {
  if (answer.length <= SHORT) return
  const { bytes } = (await db.get(bytesOf, { user_id, now: now.toISOString() }))!
  if (bytes + Buffer.byteLength(answer) <= MAX_BYTES) return
  throw tooManyRequests(
    'What is kept of your answers for a day, each under its Idempotency-Key (idempotency_key), takes at most ' +
      `${MAX_BYTES} bytes, and there is no room for this one. Nothing was changed: send it without a key, or in ` +
      'smaller parts',
    WAIT,
  )
}

/** Keeps an answer for a day. To be called in the transaction of the change. */
export async function storeAnswer(
  db: Db,
  user_id: Ulid,
  { key, request_hash }: KeyedRequest,
  answer: StoredAnswer,
  now: Date,
): Promise<void> {
  await db.enqueue(drop, { user_id, key }) // an expired one
  const text = JSON.stringify(answer)
  await checkRoom(db, user_id, text, now)
  const expires_at = new Date(now.getTime() + LIFETIME).toISOString()
  await db.enqueue(insert, { user_id, key, request_hash, answer: text, expires_at })
}

/** Forgets what was answered under a key. */
export async function dropAnswer(db: Db, user_id: Ulid, key: string): Promise<void> {
  await db.enqueue(drop, { user_id, key })
}

/** Forgets answers that name an item, a proposal or an import, of whomever: a request that is sent again is a new one. */
export async function dropAnswersNaming(db: Db, id: Ulid): Promise<void> {
  await db.enqueue(dropNaming, { id })
}
