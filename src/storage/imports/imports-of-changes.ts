import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { detailsOf, shortDetails } from '#src/storage/changes/event-details.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'

interface ImportingChange {
  change_id: Ulid
  last_event: Ulid
  operation: string | null
}

const byIds = query((p: { ids: string }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .select(['event_id', shortDetails])
    .where('event_id', 'in', dialect.texts(p.ids)),
)

/**
 * Which import changes are portions of, or took back. Each event of theirs tells it, for longer than the import itself
 * is kept; of one that is redacted it is not known.
 */
export async function importsOfChanges(
  db: Db,
  changes: readonly ImportingChange[],
): Promise<Map<Ulid, Ulid>> {
  const imports = new Map<Ulid, Ulid>()
  const wanted = new Map(
    changes.filter(isImporting).map(({ last_event, change_id }) => [last_event, change_id]),
  )
  if (!wanted.size) return imports
  await requireWholeLog(db)
  for (const row of await db.all(byIds, { ids: JSON.stringify([...wanted.keys()]) })) {
    const { import_id } = JSON.parse(await detailsOf(db, row)) as { import_id?: Ulid }
    if (import_id !== undefined) imports.set(wanted.get(row.event_id)!, import_id)
  }
  return imports
}

const isImporting = ({ operation }: ImportingChange) =>
  operation === 'runImport' || operation === 'undoImport'
