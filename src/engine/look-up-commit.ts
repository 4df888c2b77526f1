import { unavailable } from '#src/domain/errors.ts'
import type { EngineLog } from '#src/engine/engine.ts'
import { beginWrite, unknownOutcome } from '#src/engine/postgres-write.ts'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'

/** A COMMIT whose answer was lost is looked up for at most this long. */
const LOOK_UP_MS = 30_000
const LOOK_UP_PAUSE_MS = 250

/**
 * The COMMIT was sent and its answer is lost: whether it happened is in the database.
 * @throws ServiceUnavailable where it did not, or where nobody can say.
 */
export async function lookUpCommit(
  { hosts, log }: { hosts: PostgresHosts; log: EngineLog },
  marker: string,
  calls: number,
): Promise<void> {
  const until = Date.now() + LOOK_UP_MS
  let found: boolean | undefined
  while (found === undefined && Date.now() < until) {
    found = await hasMarker(hosts, marker).catch(() => undefined)
    if (found === undefined) await new Promise((resume) => setTimeout(resume, LOOK_UP_PAUSE_MS))
  }
  log('warn', 'The answer to a COMMIT was lost', { committed: found ?? 'unknown', calls })
  if (found === undefined) throw unknownOutcome()
  if (!found)
    throw unavailable('The connection to the database was lost: nothing was changed', {
      suggestion: 'Try again',
    })
}

function hasMarker(hosts: PostgresHosts, marker: string): Promise<boolean> {
  return hosts.use(async (pool) => {
    const client = await pool.connect()
    try {
      await beginWrite(client) // waits until the transaction in question has ended, one way or the other
      const { rows } = await client.query('select 1 from write_batch where id = $1', [marker])
      return rows.length > 0
    } finally {
      client.release(true)
    }
  })
}
