import { Reading } from '#src/metrics/instruments.ts'
import { findAuditHeads } from '#src/operations/audit/audit-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import type { AuditHeads } from '#src/storage/log/find-events.ts'

const HOUR = 60 * 60_000

export interface AuditHeadWatch {
  stop(): void
}

/**
 * Carries the head of the audit log out of the database: into `/metrics`, and into the program's own log at the start
 * and once an hour where it has moved. Whoever cuts events off the end of the log does not reach those.
 */
export function watchAuditHead(runtime: Runtime, write: (heads: AuditHeads) => void): AuditHeadWatch {
  const find = (): Promise<AuditHeads | null> => runStep(runtime, findAuditHeads, {}).catch(() => null)
  let last: string | undefined
  const look = async () => {
    const heads = await find()
    if (!heads || heads.hash === last) return
    last = heads.hash
    write(heads)
  }
  runtime.services.metrics.add(
    'facet_audit_head_info',
    'Always 1; the hashes of the newest event of the audit log and of its newest change are in the labels.',
    new Reading('gauge', async () => {
      const heads = await find()
      return heads && [{ labels: { hash: heads.hash, changes: heads.changes }, value: 1 }]
    }),
  )
  void look()
  const timer = setInterval(() => void look(), HOUR).unref()
  return { stop: () => clearInterval(timer) }
}
