import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** The tables that the database itself keeps from being changed, as the migrations have it. */
const APPEND_ONLY: readonly (readonly [table: keyof Tables, lets: 'sweep' | 'update' | null])[] = [
  ['audit_event', 'update'],
  ['security_event', 'sweep'],
]

/** What an operator should read where somebody has taken that away, in sentences. */
export async function unguardedTables(db: Kysely<Tables>, dialect: SchemaDialect): Promise<string[]> {
  const warnings: string[] = []
  for (const [table, lets] of APPEND_ONLY)
    if (!(await dialect.isAppendOnly(db, table, lets)))
      warnings.push(
        `The database lets rows of ${table} be changed and deleted: its triggers have been taken away or altered, and the one who did that may have changed the log. Compare it with a backup; restore one, or move the base by export and import into a new database, which has them, and look at \`npm run -s facet -- audit verify\``,
      )
  return warnings
}
