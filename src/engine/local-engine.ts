import { ulidSource } from '#src/domain/ulid-source.ts'
import type { Engine, SqlCall, SqlRunner } from '#src/engine/engine.ts'
import { SqliteConnection } from '#src/sql/sqlite.ts'

/**
 * One connection of this thread's own, for a command that runs beside the service or without it. It claims nothing:
 * SQLite keeps two writing processes apart. Its ids are of the moment: good for accounts, keys and the security log,
 * not for the audit log, whose ids must not go backwards, which only the service can see to.
 */
export function openLocalEngine(file: string, run: SqlRunner): Engine {
  const db = new SqliteConnection(file)
  const source = ulidSource()
  const newId = (call: SqlCall) => () => source(call.now)
  const read: Engine['read'] = (call) => run(db, call, newId(call))
  return {
    read,
    readInline: read,
    async write(call) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const reply = await run(db, call, newId(call))
        db.exec('COMMIT')
        return reply
      } catch (error) {
        if (db.inTransaction) db.rollback()
        throw error
      }
    },
    writeFault: () => null,
    version: () => null,
    relay: null,
    async close() {
      db.close()
    },
  }
}
