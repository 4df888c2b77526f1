import type { DatabaseConfig } from '#src/config/config.ts'
import { type CommandConnection, openCommandConnection } from '#src/engine/command-connection.ts'
import { preparePostgres } from '#src/storage/schema/prepare-postgres.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'

/** To write to, while nobody else does. */
export async function openAlone(
  database: DatabaseConfig,
): Promise<{ connection: CommandConnection; release: () => void }> {
  if (database.engine === 'postgres') {
    await preparePostgres(database.url)
    return { connection: await openCommandConnection(database), release() {} }
  }
  const lock = await prepareSqliteFile(database.file, { importing: true })
  const connection = await openCommandConnection(database)
  return { connection, release: () => lock.release() }
}
