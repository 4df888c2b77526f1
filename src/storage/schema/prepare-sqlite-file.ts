import type { SecretBox } from '#src/auth/secret-box.ts'
import { backUpSqliteFile } from '#src/sql/back-up-sqlite-file.ts'
import { databaseFile, fileFault, keepPrivate, refuseLoneLog } from '#src/sql/database-file.ts'
import { type FileLock, lockSqliteFile } from '#src/sql/lock-sqlite-file.ts'
import { removeScratchCopies } from '#src/sql/scratch-copy.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { sqliteExecutor } from '#src/sql/sqlite-executor.ts'
import { sealTotpSecrets, unreadableWarnings } from '#src/storage/accounts/seal-totp.ts'
import { sealWebhookSecrets } from '#src/storage/webhooks/seal-webhook-secrets.ts'
import { makeMissingIndex } from '#src/storage/large/rebuild-indexes.ts'
import { unguardedTables } from '#src/storage/schema/unguarded-tables.ts'
import { refuseUnfinishedImport } from '#src/storage/schema/import-state.ts'
import { migrate, type MigrateOptions } from '#src/storage/schema/migrate.ts'

export interface PrepareOptions extends Pick<MigrateOptions, 'list'> {
  /** Called with the backup that was made before the schema changed. */
  onBackup?: (path: string) => void
  /** An import goes on, which nobody else may meet half-way. */
  importing?: boolean
  /** Seals what an older version, or an older key, has left. */
  secrets?: SecretBox
}

/** Claimed until it is released. */
export interface PreparedFile extends FileLock {
  /** With links followed. */
  file: string
  /** What an operator should read, in sentences. */
  warnings: readonly string[]
}

/**
 * Makes the file if there is none, claims it for this process and brings its schema up to date, after a backup if it
 * holds something (decision 70).
 */
export async function prepareSqliteFile(
  file: string,
  { list, onBackup, importing = false, secrets }: PrepareOptions = {},
): Promise<PreparedFile> {
  try {
    return await prepare(databaseFile(file), {
      ...(list && { list }),
      ...(onBackup && { onBackup }),
      ...(secrets && { secrets }),
      importing,
    })
  } catch (error) {
    throw fileFault(file, error)
  }
}

async function prepare(
  file: string,
  { list, onBackup, importing, secrets }: PrepareOptions,
): Promise<PreparedFile> {
  const lock = lockSqliteFile(file)
  const warnings: string[] = []
  try {
    removeScratchCopies(file)
    refuseLoneLog(file)
    const db = new SqliteConnection(file)
    try {
      const backUp = async () => {
        const path = await backUpSqliteFile(file, new Date())
        onBackup?.(path)
      }
      const executor = sqliteExecutor(db.raw)
      await migrate(executor, sqliteDialect.schema, { ...(list && { list }), backUp })
      if (!importing && !list) await refuseUnfinishedImport(executor)
      if (!list) warnings.push(...(await unguardedTables(executor, sqliteDialect.schema)))
      // Where a process ended between a large change and the indexes that it had left out.
      if (!list) while (await makeMissingIndex(db));
      // On this connection, whose end writes the log back into the file: none of them stays in either.
      if (secrets) {
        warnings.push(...unreadableWarnings(await sealTotpSecrets(executor, secrets)))
        warnings.push(...(await sealWebhookSecrets(executor, secrets)))
      }
    } finally {
      db.close()
    }
    return { ...lock, file, warnings: [...warnings, ...keepPrivate(file)] }
  } catch (error) {
    lock.release()
    throw error
  }
}
