import type Database from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'
import type { Tables } from '#src/sql/tables.ts'

/** Kysely that executes, for migrations only. */
export function sqliteExecutor(raw: Database.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new MigrationDialect({ database: raw }) })
}

class MigrationDialect extends SqliteDialect {
  private readonly config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.config = config
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.config)
  }
}

/** Kysely's own begins deferred: two processes could both read what is applied before one of them writes. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}
