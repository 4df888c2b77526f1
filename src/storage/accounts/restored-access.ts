import { sql } from 'kysely'
import type { Role, Scope } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { scopeOf } from '#src/storage/accounts/stored-scope.ts'
import { type Db, query } from '#src/sql/query.ts'
import { forgetStoreMark } from '#src/storage/files/store-mark.ts'

/** What lets somebody into a base that was restored, or is told of it: a copy may bring back what was ended after it. */
export interface RestoredAccess {
  accounts: { email: string; role: Role; disabled: boolean }[]
  keys: { email: string; name: string; prefix: string; scope: Scope; expires_at: string | null }[]
  apps: { email: string; name: string; scope: Scope }[]
  /** All of them are disabled. */
  webhooks: { webhook_id: Ulid; url: string; disabled_reason: string | null }[]
}

const OF_COPY = 'It came with a copy: enable it where it is to be sent from'

/** What is open for a while: sessions, half-done sign-ins, links that nobody has used (invitations, to set a password), requests of apps for consent. */
const OPEN = [
  sql`delete from session`,
  sql`delete from webauthn_challenge`,
  sql`delete from oauth_flow`,
  sql`delete from reset_link`,
  sql`update import set job = null, state = 'stopped' where job is not null`,
  sql`delete from file_url`,
  sql`delete from invitation where used_at is null`,
  sql`delete from app_record where kind not in ('AccessToken', 'RefreshToken', 'Grant')`,
  // A copy that is tried out calls nobody (decision 44).
  sql`update webhook set enabled = 0, disabled_at = updated_at, disabled_reason = ${OF_COPY} where enabled = 1`,
]

/** Ends what the copy was made amid; the store of the files is another's until somebody says otherwise. */
export async function endOpenAccess(db: Db): Promise<void> {
  for (const each of OPEN) await db.enqueueCompiled(each.compile(db.dialect.builder))
  await forgetStoreMark(db)
}

const accounts = query((_: object, sql) =>
  sql.selectFrom('account').select(['email', 'role', 'disabled_at']).orderBy('id'),
)
const keys = query((_: object, sql) =>
  sql
    .selectFrom('api_key')
    .innerJoin('account', 'account.user_id', 'api_key.user_id')
    .select(['email', 'name', 'prefix', scopeOf('api_key').as('scope'), 'expires_at'])
    .orderBy('api_key.id'),
)
const apps = query((_: object, sql) =>
  sql
    .selectFrom('app')
    .innerJoin('account', 'account.user_id', 'app.user_id')
    .select(['email', 'name', scopeOf('app').as('scope')])
    .orderBy('app.id'),
)
const webhooks = query((_: object, sql) =>
  sql.selectFrom('webhook').select(['webhook_id', 'url', 'disabled_reason']).orderBy('id'),
)

export async function restoredAccess(db: Db): Promise<RestoredAccess> {
  const found = await db.all(accounts, {})
  return {
    accounts: found.map(({ email, role, disabled_at }) => ({ email, role, disabled: disabled_at !== null })),
    keys: await db.all(keys, {}),
    apps: await db.all(apps, {}),
    webhooks: await db.all(webhooks, {}),
  }
}
