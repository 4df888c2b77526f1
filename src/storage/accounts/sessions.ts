import type { CallerSession, Role } from '#src/domain/caller.ts'
import type { ExpressionBuilder } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { minuteOf } from '#src/domain/iso-time.ts'
import { lastUse, managedSince } from '#src/auth/session.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'

export interface NewSession {
  token_hash: string
  user_id: Ulid
  state: CallerSession['state']
  created_at: string
  expires_at: string
  session_id: Ulid
  user_agent: string | null
  address: string
  proven_at: string
}

/** A session that has not ended. */
export interface LiveSession {
  user_id: Ulid
  state: CallerSession['state']
  expires_at: string
  session_id: Ulid
  proven_at: string
  created_at: string
  /** Of its account. */
  role: Role
  /** As in `account`. */
  role_provider: string | null
}

const insertRow = query((p: NewSession, sql) =>
  sql.insertInto('session').values({
    token_hash: p.token_hash,
    user_id: p.user_id,
    state: p.state,
    created_at: p.created_at,
    expires_at: p.expires_at,
    session_id: p.session_id,
    user_agent: p.user_agent,
    address: p.address,
    proven_at: p.proven_at,
  }),
)
/** Whether a session, besides its account, is none that ends because a provider says the role. */
export const endsLater =
  (since: Ulid) => (e: ExpressionBuilder<Pick<Tables, 'session' | 'account'>, 'session' | 'account'>) =>
    e.or([e('account.role_provider', 'is', null), e('session.session_id', '>', since)])

const liveRow = query((p: { token_hash: string; now: string; since: Ulid }, sql) =>
  sql
    .selectFrom('session')
    .innerJoin('account', 'account.user_id', 'session.user_id')
    .select([
      'session.user_id',
      'session.state',
      'session.expires_at',
      'session.session_id',
      'session.proven_at',
      'session.created_at',
      'account.role',
      'account.role_provider',
    ])
    .where('session.token_hash', '=', p.token_hash)
    .where('session.expires_at', '>', p.now)
    .where(endsLater(p.since))
    .where('account.disabled_at', 'is', null),
)
const moveTimer = query((p: { token_hash: string; expires_at: string }, sql) =>
  sql
    .updateTable('session')
    .set({ expires_at: p.expires_at })
    .where('token_hash', '=', p.token_hash)
    .where('state', '=', 'full')
    .where('expires_at', '<', p.expires_at)
    .returning('user_id'),
)
const upgradeRow = query((p: { token_hash: string; expires_at: string; proven_at: string }, sql) =>
  sql
    .updateTable('session')
    .set({ state: 'full', expires_at: p.expires_at, proven_at: p.proven_at })
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

const fullRows = query((p: { user_id: Ulid; now: string; since: Ulid }, sql) =>
  sql
    .selectFrom('session')
    .innerJoin('account', 'account.user_id', 'session.user_id')
    .select([
      'session.token_hash',
      'session.session_id',
      'session.created_at',
      'session.expires_at',
      'session.user_agent',
      'session.address',
    ])
    .where('session.user_id', '=', p.user_id)
    .where('session.state', '=', 'full')
    .where('session.expires_at', '>', p.now)
    .where(endsLater(p.since))
    .orderBy('session.created_at', 'desc')
    .orderBy('session.session_id', 'desc'),
)
/** All but the newest. */
const oldRows = query((p: { user_id: Ulid; keep: number }, sql) =>
  sql
    .selectFrom('session')
    .select('token_hash')
    .where('user_id', '=', p.user_id)
    .orderBy('created_at', 'desc')
    .orderBy('session_id', 'desc')
    .limit(1_000_000)
    .offset(p.keep),
)
const deleteById = query((p: { user_id: Ulid; session_id: Ulid }, sql) =>
  sql
    .deleteFrom('session')
    .where('user_id', '=', p.user_id)
    .where('session_id', '=', p.session_id)
    .returning('token_hash'),
)

const setProvenAt = query((p: { token_hash: string; proven_at: string }, sql) =>
  sql.updateTable('session').set({ proven_at: p.proven_at }).where('token_hash', '=', p.token_hash),
)

/** Later than every timestamp. */
const ANY_TIME = '9999'

const hashes = (rows: { token_hash: string }[]) => rows.map(({ token_hash }) => token_hash)

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db.enqueue(insertRow, session)
}

export const findLiveSession = async (
  db: Db,
  token_hash: string,
  now: Date,
): Promise<LiveSession | undefined> =>
  // The two are null in no row; SQLite cannot add a column that says so.
  (await db.get(liveRow, {
    token_hash,
    now: now.toISOString(),
    since: managedSince(now.getTime()),
  })) as LiveSession | undefined

/** Only forwards, and only a full session's. Answers whose it is; undefined: nothing was written. */
export async function moveSessionTimer(
  db: Db,
  token_hash: string,
  expires_at: Date,
): Promise<Ulid | undefined> {
  return (await db.get(moveTimer, { token_hash, expires_at: expires_at.toISOString() }))?.user_id
}

/** From partial to full, in place. */
export async function upgradeSession(
  db: Db,
  token_hash: string,
  { expires_at, now }: { expires_at: Date; now: Date },
): Promise<boolean> {
  const values = { token_hash, expires_at: expires_at.toISOString(), proven_at: now.toISOString() }
  return (await db.run(upgradeRow, values)).changes > 0
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

/** Deletes those of a user that began first, but for `keep` of them; answers their hashes. */
export async function deleteOldestSessions(db: Db, user_id: Ulid, keep: number): Promise<string[]> {
  const old = hashes(await db.all(oldRows, { user_id, keep }))
  for (const token_hash of old) await deleteSession(db, token_hash)
  return old
}

export interface ListedSession {
  token_hash: string
  session_id: Ulid
  created_at: string
  last_used_at: string
  user_agent: string | null
  address: string | null
}

/** The user's live full sessions, newest first. */
export async function sessionsOf(db: Db, user_id: Ulid, now: Date): Promise<ListedSession[]> {
  const rows = await db.all(fullRows, {
    user_id,
    now: now.toISOString(),
    since: managedSince(now.getTime()),
  })
  return rows.map(({ expires_at, session_id, ...rest }) => ({
    ...rest,
    session_id: session_id!,
    // The timer is written with its use.
    last_used_at: minuteOf(lastUse(expires_at)),
  }))
}

/** The hashes of what was ended: one or none. */
export async function deleteSessionOfId(db: Db, user_id: Ulid, session_id: Ulid): Promise<string[]> {
  return hashes(await db.all(deleteById, { user_id, session_id }))
}

/** The session has just proved who it is. */
export async function setProven(db: Db, token_hash: string, now: Date): Promise<void> {
  await db.enqueue(setProvenAt, { token_hash, proven_at: now.toISOString() })
}
