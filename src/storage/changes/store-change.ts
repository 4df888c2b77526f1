import type { Caller } from '#src/domain/caller.ts'
import { changeSummary } from '#src/domain/change-summary.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import type { Db } from '#src/sql/query.ts'
import { newSalt } from '#src/storage/log/audit-chain.ts'
import { CHANGE_HEAD, changeHash, changeHead, summaryHash } from '#src/storage/log/change-chain.ts'
import type { OpenChange } from '#src/storage/changes/open-change.ts'

const insertChange = rowInserter('change', [
  'change_id',
  'last_event',
  'operation',
  'summary',
  'user_id',
  'source',
  'client',
  'client_id',
  'counts',
  'undoes',
  'summary_salt',
  'summary_hash',
  'hash',
  'proposed_by',
])

/** At the end of a call: its change, in the transaction of its events. The id; undefined where nothing was recorded. */
export async function storeChange(
  db: Db,
  { user_id, source, client }: Caller,
  { id, operation, facts, undoes, lastEvent, proposed_by }: OpenChange,
): Promise<Ulid> {
  const change = {
    change_id: id,
    last_event: lastEvent!,
    operation,
    user_id,
    source,
    client: client && JSON.stringify(client),
    counts: JSON.stringify(facts.counts),
    undoes: undoes.length ? JSON.stringify(undoes) : null,
  }
  const summary = summaryOf(facts, undoes.length)
  const summary_salt = newSalt()
  const summary_hash = summaryHash(summary, summary_salt)
  const hash = changeHash(await changeHead(db), change, summary_hash)
  db.cache.set(CHANGE_HEAD, hash)
  await insertChange(db, [
    [
      id,
      change.last_event,
      operation,
      summary,
      user_id,
      source,
      change.client,
      client?.id ?? null,
      change.counts,
      change.undoes,
      summary_salt,
      summary_hash,
      hash,
      proposed_by ? JSON.stringify(proposed_by) : null,
    ],
  ])
  return id
}

function summaryOf(facts: OpenChange['facts'], undone: number): string {
  const summary = changeSummary(facts)
  if (!undone) return summary
  return `Undid ${undone === 1 ? 'a change' : `${undone} changes`}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`
}
