import type { Kysely } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'
import * as knowledgeBase from '#src/storage/migrations/0001-knowledge-base.ts'

export interface Migration {
  up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void>
}

/** Every migration by its name, oldest first. A released one is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-knowledge-base': knowledgeBase,
}
