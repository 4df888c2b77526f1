import type { Engine, SqlRunner } from '#src/engine/engine.ts'
import { SqliteConnection } from '#src/sql/sqlite.ts'

/**
 * One connection of this thread's own, for a command that runs beside the service or without it. It claims nothing:
 * SQLite keeps two writing processes apart.
 */
export function openLocalEngine(file: string, run: SqlRunner): Engine {
  const db = new SqliteConnection(file)
  const read: Engine['read'] = (call) => run(db, call, noIds)
  return {
    read,
    readInline: read,
    async write(call) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const reply = await run(db, call, noIds)
        db.exec('COMMIT')
        return reply
      } catch (error) {
        if (db.inTransaction) db.rollback()
        throw error
      }
    },
    version: () => null,
    relay: null,
    async close() {
      db.close()
    },
  }
}

// Ids must not go backwards, which only the service can see to.
function noIds(): never {
  throw new Error('a command makes no ids')
}
