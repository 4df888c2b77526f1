import { statSync } from 'node:fs'
import { sql } from 'kysely'
import type { Db } from '#src/sql/query.ts'

/**
 * What tells a base from its copies, which have everything else in common: of SQLite the file (not its path), of
 * PostgreSQL the cluster and the database in it.
 */
export async function placeOfBase(db: Db): Promise<string> {
  const select = <Row>(text: ReturnType<typeof sql<Row>>) => db.select<Row>(text.compile(db.dialect.builder))
  if (db.dialect.name === 'sqlite') {
    const [main] = await select(
      sql<{ file: string }>`select file from pragma_database_list where name = 'main'`,
    )
    const file = main?.file && statSync(main.file, { bigint: true, throwIfNoEntry: false })
    return file ? `file ${file.ino}` : 'memory'
  }
  const [found] = await select(sql<{ oid: string; may: boolean }>`
    select oid::text as oid, has_function_privilege('pg_control_system()', 'execute') as may
    from pg_database where datname = current_database()`)
  const cluster = found?.may
    ? await select(sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`)
    : []
  return `database ${found?.oid} of ${cluster[0]?.id ?? 'a cluster'}`
}
