import { sql as rawSql, type SqlBool } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'

export const IMPORT_STATES = ['reading', 'ready', 'checking', 'running', 'done', 'stopped', 'failed'] as const
export type ImportState = (typeof IMPORT_STATES)[number]
/** What is under way: the file is looked at, a mapping checked, rows are written, or taken back. */
export type ImportJobName = 'look' | 'check' | 'run' | 'undo'

/** Columns that hold JSON text are text here too: what they say is their users'. */
export interface ImportRecord {
  id: number
  import_id: Ulid
  user_id: Ulid | null
  file_id: Ulid | null
  file_name: string
  format: string
  caller: string
  created_at: string
  expires_at: string
  state: ImportState
  job: ImportJobName | null
  place: string
  look: string | null
  mapping: string | null
  plan: string | null
  report: string | null
  outcome: string | null
  error: string | null
}

const insert = rowInserter('import', [
  'import_id',
  'user_id',
  'file_id',
  'file_name',
  'format',
  'caller',
  'created_at',
  'expires_at',
  'state',
  'job',
  'place',
])

type NewImport = Pick<
  ImportRecord,
  | 'import_id'
  | 'user_id'
  | 'file_id'
  | 'file_name'
  | 'format'
  | 'caller'
  | 'created_at'
  | 'expires_at'
  | 'state'
  | 'job'
  | 'place'
>

export async function insertImport(db: Db, row: NewImport): Promise<void> {
  await insert(db, [
    [
      row.import_id,
      row.user_id,
      row.file_id,
      row.file_name,
      row.format,
      row.caller,
      row.created_at,
      row.expires_at,
      row.state,
      row.job,
      row.place,
    ],
  ])
}

const one = query((p: { import_id: Ulid }, sql) =>
  sql.selectFrom('import').selectAll().where('import_id', '=', p.import_id),
)
export const findImport = async (db: Db, import_id: Ulid): Promise<ImportRecord | undefined> =>
  (await db.get(one, { import_id })) as ImportRecord | undefined

const ofUser = query((p: { user_id: Ulid; before: number; limit: number }, sql) =>
  sql
    .selectFrom('import')
    .selectAll()
    .where('user_id', '=', p.user_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
/** Newest first. */
export const importsOf = async (
  db: Db,
  user_id: Ulid,
  before: number,
  limit: number,
): Promise<ImportRecord[]> => (await db.all(ofUser, { user_id, before, limit })) as ImportRecord[]

const waiting = query((_: object, sql) =>
  sql
    .selectFrom('import')
    .select(['import_id', 'user_id', 'job'])
    .where('job', 'is not', null)
    .where('file_id', 'is not', null)
    .orderBy('id'),
)
export interface WaitingImport {
  import_id: Ulid
  user_id: Ulid | null
  job: ImportJobName
}
/** Those that something is to be done with, oldest first. */
export const waitingImports = async (db: Db): Promise<WaitingImport[]> =>
  (await db.all(waiting, {})) as WaitingImport[]

/** Changes some columns of an import. */
export async function updateImport(
  db: Db,
  id: number,
  values: Partial<Omit<ImportRecord, 'id' | 'import_id' | 'user_id'>>,
): Promise<void> {
  const { builder } = db.dialect
  await db.enqueueCompiled(builder.updateTable('import').set(values).where('id', '=', id).compile())
}

const remove = query((p: { id: number }, sql) => sql.deleteFrom('import').where('id', '=', p.id))
export async function deleteImportRow(db: Db, id: number): Promise<void> {
  await db.enqueue(remove, { id })
}

const expired = query((p: { now: string; limit: number }, sql) =>
  sql
    .selectFrom('import')
    .select(['id', 'import_id'])
    .where('expires_at', '<=', p.now)
    .where((e) => e.or([e('job', 'is', null), e('file_id', 'is', null)]))
    .limit(p.limit),
)
/** Those whose time is over and that nothing is done with. */
export const expiredImports = (
  db: Db,
  now: string,
  limit: number,
): Promise<{ id: number; import_id: Ulid }[]> => db.all(expired, { now, limit })

const HOLDER = 'import:'
/** Under which the file of an import is kept. */
export const holderOf = (import_id: Ulid): string => HOLDER + import_id

const unknownHolders = query((p: { limit: number }, sql) =>
  sql
    .selectFrom('file_hold')
    .select('holder')
    .distinct()
    .where('holder', '>', HOLDER)
    .where('holder', '<', 'import;')
    .where((e) =>
      e.not(
        e.exists(
          sql
            .selectFrom('import')
            .select('id')
            // By its key, not by each row: the sweep holds the writer.
            .where(rawSql<SqlBool>`import_id = substr(file_hold.holder, ${rawSql.lit(HOLDER.length + 1)})`),
        ),
      ),
    )
    .limit(p.limit),
)
/** Under which files are kept for imports whose rows are gone. */
export const holdersOfNoImport = async (db: Db, limit: number): Promise<string[]> =>
  (await db.all(unknownHolders, { limit })).map(({ holder }) => holder)
