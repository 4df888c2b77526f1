import { ulidTime } from '#src/domain/ulid.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { findNewestId } from '#src/operations/service/service-steps.ts'

/** Milliseconds by which the clocks of machines may differ without a word. */
const CLOCK_SLACK = 60_000

/** New ids go on after the newest one, so all of them bear its time until the clock has caught up. */
export async function clockWarnings(runtime: Runtime): Promise<string[]> {
  const { id } = await runStep(runtime, findNewestId, {})
  const now = runtime.clock()
  if (id === null || ulidTime(id) <= now + CLOCK_SLACK) return []
  const [newest, here] = [ulidTime(id), now].map((time) => new Date(time).toISOString())
  return [
    `The clock of this machine says ${here}, but the newest entry of the database is of ${newest}: new entries bear that time until the clock has caught up. Set the clock right (NTP)`,
  ]
}
