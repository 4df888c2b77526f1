import { existsSync } from 'node:fs'
import type { DatabaseConfig } from '#src/config/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import { type CommandConnection, openCommandConnection } from '#src/engine/command-connection.ts'
import { isNotWhole, requireWholeLog } from '#src/storage/audit-drafts.ts'
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
    await untilWhole(connection)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** A running service is done with what a large change has recorded after a few seconds. */
const PATIENCE_MS = 15_000
const PAUSE_MS = 100

async function untilWhole({ db }: CommandConnection): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ;)
    try {
      return await requireWholeLog(db)
    } catch (error) {
      if (!isNotWhole(error) || Date.now() > until) throw error
      await new Promise((resume) => setTimeout(resume, PAUSE_MS))
    }
}
