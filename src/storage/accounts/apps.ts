import type { Insertable } from 'kysely'
import type { Role, Scope } from '#src/domain/caller.ts'
import type { Limit } from '#src/domain/limit.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { scopeOf, storedScope } from '#src/storage/accounts/stored-scope.ts'
import { type Db, query } from '#src/sql/query.ts'
import { withLimit } from '#src/storage/accounts/limits.ts'
import type { AppTable } from '#src/sql/tables.ts'

export type NewApp = Omit<Insertable<AppTable>, 'id' | 'last_used_at' | 'consent' | 'scope' | 'proposes'> & {
  scope: Scope
}
export interface ListedApp {
  app_id: Ulid
  name: string
  client_uri: string | null
  scope: Scope
  created_at: string
  last_used_at: string | null
  limit?: Limit
}

/** What an access token opens, as long as its app lives. */
export interface LiveApp {
  app_id: Ulid
  user_id: Ulid
  name: string
  last_used_at: string | null
  /** Of its account. */
  role: Role
  /** It sees a part of the base. */
  limited: boolean
  /** JSON text of the token. */
  payload: string
  expires_at: string
}

const insertRow = query((p: NewApp & ReturnType<typeof storedScope>, sql) =>
  sql.insertInto('app').values({
    app_id: p.app_id,
    user_id: p.user_id,
    client_id: p.client_id,
    name: p.name,
    client_uri: p.client_uri,
    scope: p.scope,
    proposes: p.proposes,
    created_at: p.created_at,
    limited_to: p.limited_to,
  }),
)
const rowsOf = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('app')
    .select([
      'app_id',
      'name',
      'client_uri',
      scopeOf('app').as('scope'),
      'created_at',
      'last_used_at',
      'limited_to',
    ])
    .where('user_id', '=', p.user_id)
    .where((e) =>
      e.exists(
        e
          .selectFrom('app_record')
          .select('app_record.app_id')
          .whereRef('app_record.app_id', '=', 'app.app_id')
          .where('app_record.kind', 'in', ['AccessToken', 'RefreshToken']),
      ),
    )
    .orderBy('id', 'desc'),
)
const liveRow = query((p: { id_hash: string }, sql) =>
  sql
    .selectFrom('app_record')
    .innerJoin('app', 'app.app_id', 'app_record.app_id')
    .innerJoin('account', 'account.user_id', 'app.user_id')
    .select([
      'app.app_id',
      'app.user_id',
      'app.name',
      'app.last_used_at',
      'account.role',
      'app.limited_to',
      'app_record.payload',
      'app_record.expires_at',
    ])
    .where('app_record.kind', '=', 'AccessToken')
    .where('app_record.id_hash', '=', p.id_hash)
    .where('account.disabled_at', 'is', null),
)
const ofClient = query((p: { client_id: string }, sql) =>
  sql.selectFrom('app').select('app_id').where('client_id', '=', p.client_id).limit(1),
)
const consentOf = query((p: { app_id: string }, sql) =>
  sql.selectFrom('app').select('consent').where('app_id', '=', p.app_id),
)
const keepRow = query((p: { app_id: string; consent: string }, sql) =>
  sql.updateTable('app').set({ consent: p.consent }).where('app_id', '=', p.app_id),
)
const touchRow = query((p: { app_id: string; last_used_at: string }, sql) =>
  sql.updateTable('app').set({ last_used_at: p.last_used_at }).where('app_id', '=', p.app_id),
)
const deleteRow = query((p: { app_id: string }, sql) =>
  sql.deleteFrom('app').where('app_id', '=', p.app_id).returning(['app_id', 'user_id', 'name']),
)
const deleteOwnRow = query((p: { app_id: string; user_id: Ulid }, sql) =>
  sql
    .deleteFrom('app')
    .where('app_id', '=', p.app_id)
    .where('user_id', '=', p.user_id)
    .returning(['app_id', 'user_id', 'name']),
)
const deleteRows = query((p: { user_id: Ulid }, sql) =>
  sql.deleteFrom('app').where('user_id', '=', p.user_id).returning('app_id'),
)
const deleteRecords = query((p: { app_ids: string }, sql, dialect) =>
  sql.deleteFrom('app_record').where('app_id', 'in', dialect.texts(p.app_ids)),
)
const lapsed = query((p: { before: string; limit: number }, sql) =>
  sql
    .deleteFrom('app')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('app')
        .select('app.id')
        .where('app.created_at', '<', p.before)
        .where((e) =>
          e.not(
            e.exists(
              e
                .selectFrom('app_record')
                .select('app_record.app_id')
                .whereRef('app_record.app_id', '=', 'app.app_id'),
            ),
          ),
        )
        .limit(p.limit),
    )
    .returning('app_id'),
)

const programRow = query((p: { app_id: string }, sql) =>
  sql.selectFrom('app').select('client_id').where('app_id', '=', p.app_id),
)

/** The program that an app is a grant of; of one that has ended nobody knows any more. */
export async function programOf(db: Db, app_id: string): Promise<string | undefined> {
  return (await db.get(programRow, { app_id }))?.client_id
}

export async function insertApp(db: Db, app: NewApp): Promise<void> {
  await db.enqueue(insertRow, { ...app, ...storedScope(app.scope) })
}

/** Newest first: those that were given tokens. */
export const appsOf = async (db: Db, user_id: Ulid): Promise<ListedApp[]> =>
  (await db.all(rowsOf, { user_id })).map(withLimit)

/** By the hash of an access token, also of an expired one. */
export async function selectAppByToken(db: Db, id_hash: string): Promise<LiveApp | undefined> {
  const row = await db.get(liveRow, { id_hash })
  if (!row) return undefined
  const { limited_to, ...app } = row
  return { ...app, limited: limited_to !== null }
}

export async function consentOfApp(db: Db, app_id: string): Promise<string | null> {
  return (await db.get(consentOf, { app_id }))?.consent ?? null
}

export async function insertConsent(db: Db, app_id: string, consent: string): Promise<void> {
  await db.enqueue(keepRow, { app_id, consent })
}

export async function updateAppUse(db: Db, app_id: string, last_used_at: string): Promise<void> {
  await db.enqueue(touchRow, { app_id, last_used_at })
}

export interface EndedApp {
  app_id: Ulid
  user_id: Ulid
  name: string
}

/** With all that it was given; of anybody, or of that account alone. */
export async function deleteApp(db: Db, app_id: string, user_id?: Ulid): Promise<EndedApp | undefined> {
  const gone = user_id ? await db.get(deleteOwnRow, { app_id, user_id }) : await db.get(deleteRow, { app_id })
  if (gone) await db.run(deleteRecords, { app_ids: JSON.stringify([app_id]) })
  return gone
}

/** Their ids. */
export async function deleteAppsOf(db: Db, user_id: Ulid): Promise<string[]> {
  const ids = (await db.all(deleteRows, { user_id })).map(({ app_id }) => app_id)
  if (ids.length) await db.run(deleteRecords, { app_ids: JSON.stringify(ids) })
  return ids
}

/** Those from before that time that have no code and no token any more. Answers their ids. */
export async function deleteLapsedApps(db: Db, before: string, limit: number): Promise<string[]> {
  return (await db.all(lapsed, { before, limit })).map(({ app_id }) => app_id)
}

/** What stands for an app where others have the hash of their token: what it holds open outlives its hourly tokens. */
export const tokenOfApp = (app_id: string): string => `app:${app_id}`

/** Whether somebody has let the client in. */
export const hasApps = async (db: Db, client_id: string): Promise<boolean> =>
  (await db.get(ofClient, { client_id })) !== undefined
