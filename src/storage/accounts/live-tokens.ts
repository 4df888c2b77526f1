import type { Ulid } from '#src/domain/ulid.ts'
import { managedSince } from '#src/auth/session.ts'
import { type Db, query } from '#src/sql/query.ts'
import { tokenOfApp } from '#src/storage/accounts/apps.ts'
import { endsLater } from '#src/storage/accounts/sessions.ts'

const liveSessions = query((p: { token_hashes: string; now: string; since: Ulid }, sql, dialect) =>
  sql
    .selectFrom('session')
    .innerJoin('account', 'account.user_id', 'session.user_id')
    .select('session.token_hash')
    .where('session.token_hash', 'in', dialect.texts(p.token_hashes))
    .where('session.expires_at', '>', p.now)
    .where(endsLater(p.since))
    .where('account.disabled_at', 'is', null),
)
const liveKeys = query((p: { token_hashes: string; now: string }, sql, dialect) =>
  sql
    .selectFrom('api_key')
    .innerJoin('account', 'account.user_id', 'api_key.user_id')
    .select('api_key.key_hash as token_hash')
    .where('api_key.key_hash', 'in', dialect.texts(p.token_hashes))
    .where((e) => e.or([e('api_key.expires_at', 'is', null), e('api_key.expires_at', '>', p.now)]))
    .where('account.disabled_at', 'is', null),
)
const liveApps = query((p: { app_ids: string }, sql, dialect) =>
  sql
    .selectFrom('app')
    .innerJoin('account', 'account.user_id', 'app.user_id')
    .select('app.app_id')
    .where('app.app_id', 'in', dialect.texts(p.app_ids))
    .where('account.disabled_at', 'is', null),
)

const tokensOfSessions = query((p: { user_id: Ulid }, sql) =>
  sql.selectFrom('session').select('token_hash').where('user_id', '=', p.user_id),
)
const tokensOfKeys = query((p: { user_id: Ulid }, sql) =>
  sql.selectFrom('api_key').select('key_hash as token_hash').where('user_id', '=', p.user_id),
)
const appsOf = query((p: { user_id: Ulid }, sql) =>
  sql.selectFrom('app').select('app_id').where('user_id', '=', p.user_id),
)

const APP = tokenOfApp('')

/** The hashes of all tokens of an account, and what stands for its apps. */
export async function tokensOf(db: Db, user_id: Ulid): Promise<string[]> {
  const rows = [
    ...(await db.all(tokensOfSessions, { user_id })),
    ...(await db.all(tokensOfKeys, { user_id })),
  ]
  const apps = await db.all(appsOf, { user_id })
  return [...rows.map(({ token_hash }) => token_hash), ...apps.map(({ app_id }) => tokenOfApp(app_id))]
}

/** Those of the tokens that let somebody in, sessions, keys and apps alike. */
export async function liveTokens(db: Db, token_hashes: readonly string[], now: Date): Promise<Set<string>> {
  const wanted = { token_hashes: JSON.stringify(token_hashes), now: now.toISOString() }
  const since = managedSince(now.getTime())
  const rows = [...(await db.all(liveSessions, { ...wanted, since })), ...(await db.all(liveKeys, wanted))]
  const app_ids = token_hashes.filter((each) => each.startsWith(APP)).map((each) => each.slice(APP.length))
  const apps = app_ids.length ? await db.all(liveApps, { app_ids: JSON.stringify(app_ids) }) : []
  return new Set([
    ...rows.map(({ token_hash }) => token_hash),
    ...apps.map(({ app_id }) => tokenOfApp(app_id)),
  ])
}
