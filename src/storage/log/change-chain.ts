import { hash } from 'node:crypto'
import { BEGINNING } from '#src/storage/log/audit-chain.ts'
import { type Db, query } from '#src/sql/query.ts'
import { canonicalJson } from '#src/json/canonical-json.ts'
import type { ChangeTable } from '#src/sql/tables.ts'

/** Under which `Db.cache` has the hash of the newest change. */
export const CHANGE_HEAD = 'change chain head'

const newest = query((_: object, sql) =>
  sql.selectFrom('change').select('hash').orderBy('change_id', 'desc').limit(1),
)

/** As the database has it. */
export const readChangeHead = async (db: Db): Promise<string> => (await db.get(newest, {}))?.hash ?? BEGINNING

/** The hash that the next change continues; that of the beginning where none has one yet. */
export async function changeHead(db: Db): Promise<string> {
  if (!db.cache.has(CHANGE_HEAD)) db.cache.set(CHANGE_HEAD, await readChangeHead(db))
  return db.cache.get(CHANGE_HEAD) as string
}

/** What the log says of a change besides its events; `undone_by` follows from the `undoes` of others. */
export type ChainedChange = Pick<
  ChangeTable,
  'change_id' | 'last_event' | 'operation' | 'user_id' | 'source' | 'client' | 'counts' | 'undoes'
>

/** Of a sentence that can be erased later: with the salt gone nobody finds it by trying. */
export const summaryHash = (summary: string | null, salt: string): string =>
  hash('sha256', canonicalJson({ salt, summary }))

/** Chains a change to the one before, as events are. JSON columns count by their text. */
export function changeHash(previous: string, change: ChainedChange, summary_hash: string): string {
  const { change_id, last_event, operation, user_id, source, client, counts, undoes } = change
  return hash(
    'sha256',
    canonicalJson({
      change_id,
      client,
      counts,
      last_event,
      operation,
      previous,
      source,
      summary_hash,
      undoes,
      user_id,
    }),
  )
}
