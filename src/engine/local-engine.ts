import { ulidSource } from '#src/domain/ulid-source.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import type { Engine } from '#src/engine/engine.ts'
import type { WorkerParts } from '#src/engine/sqlite-worker.ts'
import { noIds, withinTransaction } from '#src/engine/transaction.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'

/**
 * One connection of this thread's own, for a command that runs alongside the service or without it. It claims nothing:
 * SQLite keeps two writing processes apart, and the ids of a change go on after the newest that is there.
 */
export function openLocalEngine(
  file: string,
  { run, newestId }: Pick<WorkerParts, 'run' | 'newestId'>,
): Engine {
  const db = new SqliteConnection(file)
  const read: Engine['read'] = (call) => run(db, call, noIds)
  return {
    read,
    readInline: read,
    write: (call) =>
      withinTransaction(
        db,
        db.dialect.begin.write,
        async () => {
          db.refresh()
          const source = ulidSource(await newestId(db))
          return run(db, call, () => source(call.now))
        },
        (reply) => rollbackReason(reply) === undefined,
      ),
    isHeld: async () => false,
    writeFault: () => null,
    forgetWriteFault: () => undefined,
    version: () => null,
    relay: null,
    async close() {
      db.close()
    },
  }
}
