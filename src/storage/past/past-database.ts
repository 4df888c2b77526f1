import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { sqliteExecutor } from '#src/sql/sqlite-executor.ts'
import { migrate } from '#src/storage/schema/migrate.ts'

let statements: Promise<string> | undefined

/** An empty base in memory, whichever engine the base itself is on. */
export async function openPastDatabase(): Promise<SqliteConnection> {
  const made = await (statements ??= schemaStatements())
  const db = new SqliteConnection(':memory:')
  for (const each of ['foreign_keys = OFF', 'synchronous = OFF', 'secure_delete = OFF']) db.raw.pragma(each)
  db.raw.exec(made)
  return db
}

/** To migrate a database takes twenty times as long as to make its tables. */
async function schemaStatements(): Promise<string> {
  const db = new SqliteConnection(':memory:')
  await migrate(sqliteExecutor(db.raw), sqliteDialect.schema)
  const rows = db.raw
    .prepare(
      `select sql from sqlite_schema where sql is not null and name not like 'sqlite\\_%' escape '\\' and name not like 'item\\_trigram\\_%' escape '\\' order by rowid`,
    )
    .all() as { sql: string }[]
  db.close()
  return rows.map(({ sql }) => `${sql};`).join('\n')
}
