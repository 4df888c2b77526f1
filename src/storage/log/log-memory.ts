import { sql as rawSql } from 'kysely'
import { BEGINNING, HEAD, SECURITY_HEAD } from '#src/storage/log/audit-chain.ts'
import { CHANGE_HEAD } from '#src/storage/log/change-chain.ts'
import { SEALED_AFTER } from '#src/storage/log/seal-begin.ts'
import { DRAFTS } from '#src/storage/large/audit-drafts.ts'
import { type Db, query } from '#src/sql/query.ts'

const state = query((_: object, sql) =>
  sql
    .selectFrom('audit_seal')
    .select([
      'after',
      (e) => e.selectFrom('audit_event').select('hash').orderBy('event_id', 'desc').limit(1).as('head'),
      (e) => e.selectFrom('change').select('hash').orderBy('change_id', 'desc').limit(1).as('changes'),
      (e) => e.selectFrom('security_log_horizon').select('head').as('security'),
      rawSql<number>`(select count(*) from (select 1 from audit_draft limit 1) d)`.as('drafts'),
    ]),
)

/** What an engine in whose database others write too puts into the cache where a write transaction begins. */
export async function logMemory(db: Db): Promise<ReadonlyMap<string, unknown>> {
  const { after, head, changes, security, drafts } = (await db.get(state, {}))!
  return new Map<string, unknown>([
    [HEAD, head ?? BEGINNING],
    [CHANGE_HEAD, changes ?? BEGINNING],
    [SECURITY_HEAD, security ?? BEGINNING],
    [SEALED_AFTER, after],
    [DRAFTS, drafts > 0],
  ])
}
