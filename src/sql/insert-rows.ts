import type { InsertObject } from 'kysely'
import type { Dialect } from '#src/sql/dialect.ts'
import { type Db, query, type Query } from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Rows in one statement; few sizes, so that few statements have to be kept. */
const CHUNKS = [64, 16, 8, 7, 6, 5, 4, 3, 2, 1]

/**
 * Inserts rows (arrays in the order of `columns`) in few statements: one crossing to the engine for 64 rows.
 * `columns` may depend on the engine. The order of the rows is the order in which they get their row ids.
 */
export function rowInserter<Table extends keyof Tables>(
  table: Table,
  columns: readonly (keyof Tables[Table] & string)[] | ((dialect: Dialect) => readonly string[]),
): (db: Db, rows: readonly (readonly unknown[])[]) => Promise<void> {
  const queries = new Map<number, Query<unknown[], unknown>>(
    CHUNKS.map((size) => [
      size,
      query((p: unknown[], sql, dialect) => {
        const names = typeof columns === 'function' ? columns(dialect) : columns
        return sql.insertInto(table).values(rowsOf(p, size, names))
      }),
    ]),
  )
  const rowsOf = (p: unknown[], size: number, names: readonly string[]) =>
    Array.from({ length: size }, (_, row) =>
      Object.fromEntries(names.map((name, i) => [name, p[row * names.length + i]])),
    ) as InsertObject<Tables, Table>[]

  return async (db, rows) => {
    for (let done = 0; done < rows.length;) {
      const size = CHUNKS.find((each) => each <= rows.length - done)!
      const values: unknown[] = []
      for (const end = done + size; done < end; done++) for (const value of rows[done]!) values.push(value)
      await db.run(queries.get(size)!, values)
    }
  }
}
