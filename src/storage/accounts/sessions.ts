import type { CallerSession } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

export interface NewSession {
  token_hash: string
  user_id: Ulid
  state: CallerSession['state']
  created_at: string
  expires_at: string
}

/** A session that has not ended. */
export interface LiveSession {
  user_id: Ulid
  state: CallerSession['state']
  expires_at: string
}

const insertRow = query((p: NewSession, sql) =>
  sql.insertInto('session').values({
    token_hash: p.token_hash,
    user_id: p.user_id,
    state: p.state,
    created_at: p.created_at,
    expires_at: p.expires_at,
  }),
)
const liveRow = query((p: { token_hash: string; now: string }, sql) =>
  sql
    .selectFrom('session')
    .select(['user_id', 'state', 'expires_at'])
    .where('token_hash', '=', p.token_hash)
    .where('expires_at', '>', p.now),
)
const moveTimer = query((p: { token_hash: string; expires_at: string }, sql) =>
  sql
    .updateTable('session')
    .set({ expires_at: p.expires_at })
    .where('token_hash', '=', p.token_hash)
    .where('state', '=', 'full')
    .where('expires_at', '<', p.expires_at),
)
const upgradeRow = query((p: { token_hash: string; expires_at: string }, sql) =>
  sql
    .updateTable('session')
    .set({ state: 'full', expires_at: p.expires_at })
    .where('token_hash', '=', p.token_hash)
    .where('state', '=', 'partial'),
)
const countCode = query((p: { token_hash: string }, sql) =>
  sql
    .updateTable('session')
    .set(({ eb }) => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
    .where('token_hash', '=', p.token_hash)
    .returning('wrong_codes'),
)
const deleteRow = query((p: { token_hash: string }, sql) =>
  sql.deleteFrom('session').where('token_hash', '=', p.token_hash).returning('token_hash'),
)
const deleteRows = query((p: { user_id: Ulid; except: string; created_before: string }, sql) =>
  sql
    .deleteFrom('session')
    .where('user_id', '=', p.user_id)
    .where('token_hash', '<>', p.except)
    .where('created_at', '<', p.created_before)
    .returning('token_hash'),
)

/** Later than every timestamp. */
const ANY_TIME = '9999'

const hashes = (rows: { token_hash: string }[]) => rows.map(({ token_hash }) => token_hash)

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db.post(insertRow, session)
}

export const findLiveSession = (db: Db, token_hash: string, now: Date): Promise<LiveSession | undefined> =>
  db.get(liveRow, { token_hash, now: now.toISOString() })

/** Only forwards, and only a full session's. False: nothing was written. */
export async function moveSessionTimer(db: Db, token_hash: string, expires_at: Date): Promise<boolean> {
  return (await db.run(moveTimer, { token_hash, expires_at: expires_at.toISOString() })).changes > 0
}

/** From partial to full, in place. */
export async function upgradeSession(db: Db, token_hash: string, expires_at: Date): Promise<boolean> {
  return (await db.run(upgradeRow, { token_hash, expires_at: expires_at.toISOString() })).changes > 0
}

/** How many wrong codes the session has now had. */
export async function countWrongCode(db: Db, token_hash: string): Promise<number> {
  return (await db.get(countCode, { token_hash }))?.wrong_codes ?? 0
}

/** The hashes of what was ended: one or none. */
export async function deleteSession(db: Db, token_hash: string): Promise<string[]> {
  return hashes(await db.all(deleteRow, { token_hash }))
}

export interface WhichSessions {
  /** Token hash of the one that stays. */
  except?: string | undefined
  /** Only those made earlier; a timestamp. */
  created_before?: string | undefined
}

/** The hashes of the user's sessions that were ended. */
export async function deleteSessionsOf(
  db: Db,
  user_id: Ulid,
  { except, created_before }: WhichSessions = {},
): Promise<string[]> {
  const values = { user_id, except: except ?? '', created_before: created_before ?? ANY_TIME }
  return hashes(await db.all(deleteRows, values))
}
