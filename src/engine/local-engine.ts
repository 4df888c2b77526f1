import { setTimeout as sleep } from 'node:timers/promises'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import type { Engine } from '#src/engine/engine.ts'
import { OTHERS_WRITE_MS } from '#src/engine/inline-reads.ts'
import type { WorkerParts } from '#src/engine/sqlite-worker.ts'
import { noIds, withinTransaction } from '#src/engine/transaction.ts'
import { fileFault } from '#src/sql/database-file.ts'
import { connectionForCommand } from '#src/sql/sqlite-connection.ts'

/** A command reports what it has done when a service beside it sees it: timers may fire a millisecond early. */
const SEEN_MS = OTHERS_WRITE_MS + 1

/**
 * One connection of this thread's own, for a command that runs alongside the service or without it. It claims nothing:
 * SQLite keeps two writing processes apart, and the ids of a change go on after the newest that is there.
 */
export function openLocalEngine(
  file: string,
  { run, newestId }: Pick<WorkerParts, 'run' | 'newestId'>,
): Engine {
  const db = connectionForCommand(file)
  const inWords = (error: unknown) => {
    throw fileFault(file, error)
  }
  const read: Engine['read'] = (call) => run(db, call, noIds).catch(inWords)
  let hasWritten = false
  return {
    read,
    readInline: read,
    write(call) {
      hasWritten = true
      return withinTransaction(
        db,
        db.dialect.begin.write,
        async () => {
          db.refresh()
          const source = ulidSource(await newestId(db))
          return run(db, call, () => source(call.now))
        },
        (reply) => rollbackReason(reply) === undefined,
      ).catch(inWords)
    },
    isHeld: async () => false,
    writeFault: () => null,
    forgetWriteFault: () => undefined,
    version: () => null,
    relay: null,
    async close() {
      db.close()
      if (hasWritten) await sleep(SEEN_MS)
    },
  }
}
