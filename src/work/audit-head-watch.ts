import { Reading } from '#src/metrics/instruments.ts'
import { findAuditHeads, type LogHeads } from '#src/operations/audit/audit-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'

const HOUR = 60 * 60_000

export interface AuditHeadWatch {
  stop(): void
}

/**
 * Carries the heads of the audit log and the security log out of the database: into `/metrics`, and into the program's
 * own log at the start and once an hour where they have moved. Whoever cuts events off their ends does not reach those.
 */
export function watchAuditHead(runtime: Runtime, write: (heads: LogHeads) => void): AuditHeadWatch {
  const find = (): Promise<LogHeads | null> => runStep(runtime, findAuditHeads, {}).catch(() => null)
  let last: string | undefined
  const look = async () => {
    const heads = await find()
    const now = heads ? heads.hash + heads.security : undefined
    if (!heads || now === last) return
    last = now
    write(heads)
  }
  runtime.services.metrics.add(
    'facet_audit_head_info',
    'Always 1; the hashes of the newest event of the audit log, of its newest change and of the newest event of the security log are in the labels.',
    new Reading('gauge', async () => {
      const heads = await find()
      if (!heads) return null
      const { hash, changes, security } = heads
      return [{ labels: { hash, changes, security }, value: 1 }]
    }),
  )
  void look()
  const timer = setInterval(() => void look(), HOUR).unref()
  return { stop: () => clearInterval(timer) }
}
