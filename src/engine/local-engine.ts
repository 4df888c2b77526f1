import { ulidSource } from '#src/domain/ulid-source.ts'
import type { Engine, SqlCall, SqlRunner } from '#src/engine/engine.ts'
import { withinTransaction } from '#src/engine/transaction.ts'
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
    write: (call) => withinTransaction(db, db.dialect.begin.write, () => run(db, call, newId(call))),
    isHeld: async () => false,
    writeFault: () => null,
    version: () => null,
    relay: null,
    async close() {
      db.close()
    },
  }
}
