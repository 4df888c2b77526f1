import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'
import { createTextFolding } from '#src/storage/migrations/0007-search-text.ts'

/**
 * Equals in relevance stand in the order of one index, which also says which of them cannot have what is sought, so
 * that a page of a common word looks at few texts (decision 23).
 */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  await createTextFolding(db, dialect)
  await db.schema.dropIndex('item_name_length').execute()
  await dialect.createRankIndex(db)
}
