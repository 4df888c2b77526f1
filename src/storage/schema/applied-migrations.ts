import { sql } from 'kysely'
import type { Db } from '#src/sql/query.ts'

/** The names of what `migrate` has run on the database, oldest first. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const names = sql`select name from schema_migration order by name`
  return (await db.select<{ name: string }>(names.compile(db.dialect.builder))).map(({ name }) => name)
}
