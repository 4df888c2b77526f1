import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteExecutor } from '#src/sql/sqlite-executor.ts'
import { migrate } from '#src/storage/schema/migrate.ts'

/** Few items are looked at one by one sooner than they are entered into these. */
const INDEXES = ['item_name', 'item_created', 'item_updated', 'item_rank', 'item_deleted', 'item_deleted_at']
const WITHOUT_TRIGRAMS = {
  ...sqliteDialect,
  filter: { ...sqliteDialect.filter, itemsWithText: () => undefined, itemsWithWord: () => undefined },
}

let statements: Promise<string> | undefined

/** An empty base in memory, whichever engine the base itself is on. */
export async function openPastDatabase(): Promise<SqliteConnection> {
  const made = await (statements ??= schemaStatements())
  const db = new SqliteConnection(':memory:', { dialect: WITHOUT_TRIGRAMS })
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
      `select name, sql from sqlite_schema where sql is not null and type <> 'trigger' and name not like 'sqlite\\_%' escape '\\' and name not like '%\\_trigram%' escape '\\' order by rowid`,
    )
    .all() as { name: string; sql: string }[]
  db.close()
  return rows.flatMap(({ name, sql }) => (INDEXES.includes(name) ? [] : `${sql};`)).join('\n')
}
