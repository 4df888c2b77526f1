import type { DatabaseConfig } from '#src/config/config.ts'
import { RolledBack } from '#src/domain/rolled-back.ts'
import { type CommandConnection, openCommandConnection } from '#src/engine/command-connection.ts'
import { refuseNoDatabase } from '#src/sql/database-file.ts'
import { oldestDraft, requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { refuseHalfImport } from '#src/storage/schema/import-state.ts'
import { refuseOtherSchema } from '#src/storage/schema/refuse-other-schema.ts'

/** To read from, while the service runs or is stopped: a snapshot of it has the log whole. */
export async function openWhole(database: DatabaseConfig): Promise<CommandConnection> {
  if (database.engine === 'sqlite') refuseNoDatabase(database.file)
  const connection = await openCommandConnection(database, { readonly: true })
  try {
    await refuseOtherSchema(connection.db)
    await refuseHalfImport(connection.db)
    return { ...connection, snapshot: (work) => wholeSnapshot(connection, work) }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** A running service enters some of what a large change has recorded within this time, however busy it is. */
const PATIENCE_MS = 15_000
const PAUSE_MS = 100

/** Waits for as long as the service gets on with what it has to enter. */
async function wholeSnapshot<T>({ db, snapshot }: CommandConnection, work: () => Promise<T>): Promise<T> {
  let oldest: number | undefined
  for (let until = 0; ;)
    try {
      return await snapshot(async () => {
        await requireWholeLog(db)
        return work()
      })
    } catch (error) {
      if (!(error instanceof RolledBack && error.reason === 'log_incomplete')) throw error
      const draft = await oldestDraft(db)
      if (draft !== oldest) until = Date.now() + PATIENCE_MS
      else if (Date.now() > until) throw error
      oldest = draft
      await new Promise((resume) => setTimeout(resume, PAUSE_MS))
    }
}
