import type { Caller } from '#src/domain/caller.ts'
import { changeSummary } from '#src/domain/change-summary.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import type { Db } from '#src/sql/query.ts'
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
])

/** At the end of a call: its change, in the transaction of its events. The id; undefined where nothing was recorded. */
export async function storeChange(
  db: Db,
  { user_id, source, client }: Caller,
  { id, operation, facts, undoes, lastEvent }: OpenChange,
): Promise<Ulid> {
  await insertChange(db, [
    [
      id,
      lastEvent,
      operation,
      summaryOf(facts, undoes.length),
      user_id,
      source,
      client && JSON.stringify(client),
      client?.id ?? null,
      JSON.stringify(facts.counts),
      undoes.length ? JSON.stringify(undoes) : null,
    ],
  ])
  return id
}

function summaryOf(facts: OpenChange['facts'], undone: number): string {
  const summary = changeSummary(facts)
  if (!undone) return summary
  return `Undid ${undone === 1 ? 'a change' : `${undone} changes`}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`
}
