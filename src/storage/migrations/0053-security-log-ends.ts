import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

const BEGINNING = '0'.repeat(64)

/** The base keeps where the chain of the security log begins and ends, so that rows missing there show. */
export async function up(db: Kysely<Tables>, { text }: SchemaDialect): Promise<void> {
  for (const name of ['swept', 'head'] as const)
    await db.schema
      .alterTable('security_log_horizon')
      .addColumn(name, text, (column) => column.notNull().defaultTo(BEGINNING))
      .execute()
  const chained = db.selectFrom('security_event').where('hash', 'is not', null).limit(1)
  const first = await chained.select('previous').orderBy('id').executeTakeFirst()
  const last = await chained.select('hash').orderBy('id', 'desc').executeTakeFirst()
  await db
    .updateTable('security_log_horizon')
    .set({ swept: first?.previous ?? BEGINNING, head: last?.hash ?? BEGINNING })
    .execute()
}
