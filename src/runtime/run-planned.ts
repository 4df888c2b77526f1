import { ServiceError, unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import { reportRolledBack, rollbackReason } from '#src/domain/rolled-back.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'
import { isLongPlan } from '#src/storage/large/write-ahead.ts'

/** A plan that was overtaken is made again for at most this long. */
const REPLAN_MS = 10_000
/** Then the change finds out for itself, where no plan took longer than this: others wait meanwhile. */
const FIND_OUT_MS = 750
/** And it ends after this long: a text that was written since may take longer than all before. */
const FOUND_OUT_MS = 1000

export const overtaken = (): ServiceError =>
  unavailable('The base changes faster than the filter can be looked through: nothing was changed', {
    suggestion: 'Narrow the filter, or try again when less is written',
  })

/**
 * A change that is planned on a reader, so that nobody waits for the writer meanwhile, and then written. Whatever
 * others write in between, it comes out as if it had been found out in its own transaction. `on_scratch`: planning
 * changes something itself, which is taken back; `has_ahead`: of what was planned rows may be written ahead.
 */
export async function runPlanned(
  engine: Engine,
  call: SqlCall,
  limits: { signal?: AbortSignal | undefined },
  { on_scratch = false, has_ahead = false } = {},
): Promise<Reply> {
  const began = performance.now()
  let longest = 0
  let planned: string | undefined
  // Once more in any case: the first may have waited for other large changes all the time.
  for (let plans = 1; ; plans++) {
    const planning = performance.now()
    // What overtook it may be where the first plan could not see it yet. It is planned from there on, where that serves.
    const again = plans > 1 ? { late: false, planned: planned?.split('\n', 1)[0] } : {}
    planned = await planFor(engine, { ...call, ...again, ...(on_scratch && { scratch: true }) }, limits)
    longest = Math.max(longest, performance.now() - planning)
    const ahead = has_ahead && isLongPlan(planned) ? 'may' : undefined
    const reply = await engine.write({ ...call, planned, ahead }, limits)
    if (rollbackReason(reply) !== 'overtaken') return reply
    if (plans < 2 || performance.now() - began < REPLAN_MS) continue
    if (longest > FIND_OUT_MS) throw overtaken()
    return findOut(engine, call, limits.signal)
  }
}

async function findOut(engine: Engine, call: SqlCall, given: AbortSignal | undefined): Promise<Reply> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), FOUND_OUT_MS)
  try {
    return await engine.write(call, { signal: given ? AbortSignal.any([given, late.signal]) : late.signal })
  } catch (error) {
    // A fault of its own stays; where the client has left nobody hears of any.
    const ended = error instanceof ServiceError && error.code === 'ServiceUnavailable'
    throw ended && late.signal.aborted ? overtaken() : error
  } finally {
    clearTimeout(timer)
  }
}

/** undefined: the change has nothing to go by, and says what is wrong itself. */
async function planFor(
  engine: Engine,
  call: SqlCall,
  limits: { signal?: AbortSignal | undefined },
): Promise<string | undefined> {
  try {
    return reportRolledBack(await engine.read({ ...call, plan: true }, { ...limits, long: true })).json
  } catch (error) {
    // Under a key the answer may be there already, whatever the base has become since.
    if (call.once && error instanceof ServiceError && error.code !== 'ServiceUnavailable') return undefined
    throw error
  }
}
