import { type Kysely, sql } from 'kysely'
import { conflict, type ServiceError } from '#src/domain/errors.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'

/** How far an import has come that is not finished. */
export interface ImportState {
  /** Lines of the file whose records are in the database. */
  lines: number
  /** SHA-256 of those lines, hex: by it the file is known again. */
  sha256: string
}

const select = query((_: object, sql) => sql.selectFrom('import_state').select(['lines', 'sha256']))
const clear = query((_: object, sql) => sql.deleteFrom('import_state'))
const insert = query((p: ImportState, sql) =>
  sql.insertInto('import_state').values({ lines: p.lines, sha256: p.sha256 }),
)

/** Undefined where no import is under way or interrupted. */
export const importState = (db: Db): Promise<ImportState | undefined> => db.get(select, {})

export async function setImportState(db: Db, state: ImportState | null): Promise<void> {
  await db.enqueue(clear, {})
  if (state) await db.enqueue(insert, state)
}

const importUnfinished = (): ServiceError =>
  conflict('An import into this database is not finished', {
    suggestion:
      'Run the same `npm run facet -- import FILE` (or `restore FILE`) again: it goes on where it was interrupted',
  })

/** @throws Conflict where part of an import is missing, so that nobody works with half a base */
export async function refuseHalfImport(db: Db): Promise<void> {
  if (await importState(db)) throw importUnfinished()
}

/** The same on a connection that migrates. */
export async function refuseUnfinishedImport(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql`select lines from import_state`.execute(db)
  if (rows.length) throw importUnfinished()
}
