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

type FileConfig = SqliteDialectConfig & { database: Database.Database }

/** Kysely that executes, for migrations only. */
export function sqliteExecutor(raw: Database.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new MigrationDialect({ database: raw }) })
}

class MigrationDialect extends SqliteDialect {
  private readonly config: FileConfig

  constructor(config: FileConfig) {
    super(config)
    this.config = config
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.config)
  }
}

/** Kysely's own begins deferred: two processes could both read what is applied before one of them writes. */
class ImmediateDriver extends SqliteDriver {
  private readonly raw: Database.Database

  constructor(config: FileConfig) {
    super(config)
    this.raw = config.database
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** A full disk ends the transaction by itself; to end it once more would fail, and hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.raw.inTransaction) await super.rollbackTransaction(connection)
  }
}
