import { existsSync } from 'node:fs'
import type { DatabaseConfig } from '#src/config/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import { type CommandConnection, openCommandConnection } from '#src/engine/command-connection.ts'
import { importState, importUnfinished } from '#src/storage/schema/import-state.ts'
import { refuseOtherSchema } from '#src/storage/schema/refuse-other-schema.ts'

export function refuseMissing(file: string): void {
  if (!existsSync(file))
    throw unavailable(`There is no database at ${file}`, {
      suggestion: 'Run the command where the service runs, with the same DATABASE_URL',
    })
}

/** To read from, while the service runs or stands. */
export async function openWhole(database: DatabaseConfig): Promise<CommandConnection> {
  if (database.engine === 'sqlite') refuseMissing(database.file)
  const connection = await openCommandConnection(database, { readonly: true })
  try {
    await refuseOtherSchema(connection.db)
    if (await importState(connection.db)) throw importUnfinished()
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}
