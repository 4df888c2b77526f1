import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'

const insertChange = rowInserter('import_change', ['import', 'seq', 'change_id', 'undoes'])
const last = query((p: { id: number }, sql) =>
  sql
    .selectFrom('import_change')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('import', '=', p.id),
)

/** The change of a portion, in the transaction of the portion. */
export async function addImportChange(db: Db, id: number, change_id: Ulid, undoes: boolean): Promise<void> {
  const seq = ((await db.get(last, { id }))?.seq ?? 0) + 1
  await insertChange(db, [[id, seq, change_id, undoes ? 1 : 0]])
}

const changes = query((p: { id: number; undoes: number }, sql) =>
  sql
    .selectFrom('import_change')
    .select('change_id')
    .where('import', '=', p.id)
    .where('undoes', '=', p.undoes)
    .orderBy('seq'),
)
/** Oldest first; with `undoes` those that took the others back. */
export const importChanges = async (db: Db, id: number, undoes = false): Promise<Ulid[]> =>
  (await db.all(changes, { id, undoes: undoes ? 1 : 0 })).map(({ change_id }) => change_id)

const writing = query((p: { item_id: Ulid }, sql) =>
  sql
    .selectFrom('import')
    .innerJoin('import_change', 'import_change.import', 'import.id')
    .select('import_id')
    .distinct()
    .where(
      'import_change.change_id',
      'in',
      sql.selectFrom('audit_event').select('audit_event.change_id').where('item_id', '=', p.item_id),
    )
    .orderBy('import_id'),
)
/** Those that are still kept and that changed an item. */
export const importsThatWrote = async (db: Db, item_id: Ulid): Promise<Ulid[]> =>
  (await db.all(writing, { item_id })).map(({ import_id }) => import_id)

const written = query((p: { id: number; items: string }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .select('item_id')
    .distinct()
    .where('item_id', 'in', dialect.texts(p.items))
    .where(
      'change_id',
      'in',
      sql.selectFrom('import_change').select('import_change.change_id').where('import', '=', p.id),
    ),
)
/** Which of the items the import has changed or made. */
export const itemsWritten = async (db: Db, id: number, items: readonly Ulid[]): Promise<Set<Ulid>> =>
  new Set((await db.all(written, { id, items: JSON.stringify(items) })).map(({ item_id }) => item_id!))

const insertRow = rowInserter('import_row', ['import', 'n', 'item_id'])
/** Which items came of rows. */
export async function keepRows(
  db: Db,
  id: number,
  rows: readonly (readonly [n: number, item_id: Ulid])[],
): Promise<void> {
  await insertRow(
    db,
    rows.map(([n, item_id]) => [id, n, item_id]),
  )
}

const kept = query((p: { id: number; rows: string }, sql, dialect) =>
  sql
    .selectFrom('import_row')
    .select(['n', 'item_id'])
    .where('import', '=', p.id)
    .where('n', 'in', dialect.integers(p.rows)),
)
export const keptRows = async (db: Db, id: number, rows: Iterable<number>): Promise<Map<number, Ulid>> =>
  new Map((await db.all(kept, { id, rows: JSON.stringify([...rows]) })).map(({ n, item_id }) => [n, item_id]))
