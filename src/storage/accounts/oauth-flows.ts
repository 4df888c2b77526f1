import type { Selectable } from 'kysely'
import { type Db, query } from '#src/sql/query.ts'
import type { OauthFlowTable } from '#src/sql/tables.ts'

export type OauthFlow = Selectable<OauthFlowTable>

const insertRow = query((p: OauthFlow, sql) =>
  sql.insertInto('oauth_flow').values({
    state_hash: p.state_hash,
    provider: p.provider,
    browser_hash: p.browser_hash,
    nonce: p.nonce,
    code_verifier: p.code_verifier,
    token_hash: p.token_hash,
    expires_at: p.expires_at,
  }),
)
const takeRow = query((p: { state_hash: string; provider: string }, sql) =>
  sql
    .deleteFrom('oauth_flow')
    .where('state_hash', '=', p.state_hash)
    .where('provider', '=', p.provider)
    .returningAll(),
)

export async function insertOauthFlow(db: Db, flow: OauthFlow): Promise<void> {
  await db.enqueue(insertRow, flow)
}

/** Uses the flow up. Undefined: it never was, was used, or has expired. */
export async function removeOauthFlow(
  db: Db,
  provider: string,
  state_hash: string,
  now: Date,
): Promise<OauthFlow | undefined> {
  const flow = await db.get(takeRow, { provider, state_hash })
  return flow && flow.expires_at > now.toISOString() ? flow : undefined
}
