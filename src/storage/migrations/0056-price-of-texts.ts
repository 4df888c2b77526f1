import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** What looks through texts is planned by what they cost (decision 23). */
export const up = (db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> => dialect.priceTexts(db)
