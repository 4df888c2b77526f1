import { HEAD, readHead } from '#src/storage/log/audit-chain.ts'
import { DRAFTS, readHasDrafts } from '#src/storage/large/audit-drafts.ts'
import type { Db } from '#src/sql/query.ts'

/** What an engine in whose database others write too puts into the cache where a write transaction begins. */
export async function logMemory(db: Db): Promise<ReadonlyMap<string, unknown>> {
  const [head, drafts] = await Promise.all([readHead(db), readHasDrafts(db)])
  return new Map<string, unknown>([
    [HEAD, head],
    [DRAFTS, drafts],
  ])
}
