import { type Compilable, type InsertObject, type Kysely, sql as rawSql } from 'kysely'
import type { Dialect } from '#src/sql/dialect.ts'
import { type Db, query, type Query } from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Rows in one statement; few sizes, so that few statements have to be kept. */
const CHUNKS = [64, 16, 8, 7, 6, 5, 4, 3, 2, 1]

type Columns<Table extends keyof Tables> =
  | readonly (keyof Tables[Table] & string)[]
  | ((dialect: Dialect) => readonly string[])

/**
 * Inserts rows (arrays in the order of `columns`) in few statements: one crossing to the engine for 64 rows.
 * `columns` may depend on the engine. The order of the rows is the order in which they get their row ids.
 */
export function rowInserter<Table extends keyof Tables>(
  table: Table,
  columns: Columns<Table>,
): (db: Db, rows: readonly (readonly unknown[])[]) => Promise<void> {
  const queries = queriesBySize((p, size, sql, dialect) =>
    sql.insertInto(table).values(valuesOf(p, size, columns, dialect)),
  )
  return async (db, rows) => {
    for (const [size, values] of chunksOf(rows)) await db.enqueue(queries.get(size)!, values)
  }
}

/** As `rowInserter`; answers columns of the new rows, in no promised order. */
export function returningInserter<Table extends keyof Tables, Row>(
  table: Table,
  columns: Columns<Table>,
  returning: readonly (keyof Row & keyof Tables[Table] & string)[],
): (db: Db, rows: readonly (readonly unknown[])[]) => Promise<Row[]> {
  const queries = queriesBySize((p, size, sql, dialect) =>
    sql
      .insertInto(table)
      .values(valuesOf(p, size, columns, dialect))
      .returning(returning.map((column) => rawSql.ref(column).as(column)))
      .$castTo<Row>(),
  )
  return async (db, rows) => {
    const inserted: Row[] = []
    for (const [size, values] of chunksOf(rows)) inserted.push(...(await db.all(queries.get(size)!, values)))
    return inserted
  }
}

type Build<Row> = (p: unknown[], size: number, sql: Kysely<Tables>, dialect: Dialect) => Compilable<Row>

const queriesBySize = <Row>(build: Build<Row>): ReadonlyMap<number, Query<unknown[], Row>> =>
  new Map(CHUNKS.map((size) => [size, query((p: unknown[], sql, dialect) => build(p, size, sql, dialect))]))

function valuesOf<Table extends keyof Tables>(
  p: unknown[],
  size: number,
  columns: Columns<Table>,
  dialect: Dialect,
): InsertObject<Tables, Table>[] {
  const names: readonly string[] = typeof columns === 'function' ? columns(dialect) : columns
  return Array.from({ length: size }, (_, row) =>
    Object.fromEntries(names.map((name, i) => [name, p[row * names.length + i]])),
  ) as InsertObject<Tables, Table>[]
}

function* chunksOf(rows: readonly (readonly unknown[])[]): Generator<[size: number, values: unknown[]]> {
  for (let done = 0; done < rows.length;) {
    const size = CHUNKS.find((each) => each <= rows.length - done)!
    const values: unknown[] = []
    for (const end = done + size; done < end; done++) for (const value of rows[done]!) values.push(value)
    yield [size, values]
  }
}
