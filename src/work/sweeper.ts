import { SERVICE } from '#src/domain/caller.ts'
import { sweepExpired, sweepSecurityLog } from '#src/operations/account/session/session-steps.ts'
import { sweepDeliveries } from '#src/operations/webhooks/delivery-steps.ts'
import { sweepImports } from '#src/operations/imports/import-requests.ts'
import { sweepNotifications } from '#src/operations/notifications/notification-steps.ts'
import { sweepProposals } from '#src/operations/proposals/sweep-proposals.ts'
import { clockWarnings } from '#src/operations/service/upkeep-steps.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import type { Swept } from '#src/storage/accounts/expired-rows.ts'

const INTERVAL = 60_000
/** Of the security log. */
const LOG_INTERVAL = 60 * 60_000
const DAY = 24 * 60 * 60_000

export interface Sweeper {
  /** Waits for the sweep that is under way. */
  stop(): Promise<void>
}

/** Sweeps expired rows at once and then every minute. What fails is logged and tried again a minute later. */
export function startSweeper(
  runtime: Runtime,
  onError: (error: unknown) => void,
  warn: (sentence: string) => void,
): Sweeper {
  const stop = new AbortController()
  /** `some` answers whether there are more. */
  const untilNone = async (some: () => Promise<boolean>) => {
    for (let more = true; more && !stop.signal.aborted;) more = await some()
  }
  let logSweptAt = -Infinity
  const sweepLog = async () => {
    const now = runtime.clock()
    // A clock that had jumped ahead is behind the last time.
    if (Math.abs(now - logSweptAt) < LOG_INTERVAL) return
    if (logSweptAt > -Infinity) for (const each of await clockWarnings(runtime)) warn(each)
    logSweptAt = now
    const before = new Date(now - runtime.services.config.security_log_days * DAY).toISOString()
    await untilNone(() => runStep(runtime, sweepSecurityLog, { before }))
  }
  const sweep = async () => {
    await untilNone(() => sweepSessions(runtime))
    for (const each of [sweepDeliveries, sweepImports, sweepProposals, sweepNotifications])
      await untilNone(() => runStep(runtime, each, {}))
    await sweepLog()
  }
  let under_way = sweep().catch(onError)
  const timer = setInterval(() => {
    under_way = under_way.then(sweep).catch(onError)
  }, INTERVAL)
  timer.unref()
  return {
    async stop() {
      stop.abort()
      clearInterval(timer)
      await under_way
    },
  }
}

/** Some of what has expired; whether there is more. */
async function sweepSessions(runtime: Runtime): Promise<boolean> {
  const { json } = await runOperation(runtime, sweepExpired, SERVICE, {})
  const { ended, more } = JSON.parse(json) as Swept
  runtime.services.sessions.ended(ended)
  return more
}
