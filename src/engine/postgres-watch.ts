import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'

/** Between two looks whether somebody waits. */
const LOOK_MS = 50

/** Whether anybody waits for a row that the process with that number has changed. */
const IS_WAITED_FOR = `select exists (select 1 from pg_locks where not granted and locktype in ('transactionid', 'tuple')
  and $1 = any(pg_blocking_pids(pid))) as waited`
/** Whether the one that waits keeps others waiting meanwhile: it has the lock with this number. */
const HOLDS_UP_OTHERS = `select exists (select 1 from pg_locks w join pg_locks h on h.pid = w.pid
  where not w.granted and w.locktype in ('transactionid', 'tuple') and $1 = any(pg_blocking_pids(w.pid))
  and h.granted and h.locktype = 'advisory' and ((h.classid::bigint << 32) | h.objid::bigint) = $2::bigint
  and h.database = (select oid from pg_database where datname = current_database())) as waited`

/**
 * Calls `onWait` once somebody waits for a row that the server's process `pid` has changed; with a `lock`, only somebody
 * who has that one.
 */
export async function watchForWaiting(
  hosts: PostgresHosts,
  { pid, lock }: { pid: number; lock?: string },
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  const look =
    lock === undefined
      ? { name: 'is_waited_for', text: IS_WAITED_FOR, values: [pid] }
      : { name: 'holds_up_others', text: HOLDS_UP_OTHERS, values: [pid, lock] }
  try {
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal })
      const { rows } = await hosts.use((pool) => pool.query<{ waited: boolean }>(look))
      if (signal.aborted) return
      if (rows[0]!.waited) return onWait()
    }
  } catch {
    if (!signal.aborted) onWait() // nobody can say: rather once more than in others' way
  }
}
