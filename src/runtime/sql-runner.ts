import { type Allowance, tooManyChanges } from '#src/domain/allowance.ts'
import { Reply, toReply } from '#src/domain/reply.ts'
import { RolledBack, rollbackReason } from '#src/domain/rolled-back.ts'
import type { SqlRunner } from '#src/engine/engine.ts'
import { checkIfUpdatedAt } from '#src/runtime/conditional.ts'
import { once } from '#src/runtime/idempotency.ts'
import type { SqlContext, SqlOperation, Step } from '#src/runtime/operation.ts'
import { requestedOptions, requestedTimeZone } from '#src/runtime/requested-options.ts'
import { checkStillMay } from '#src/runtime/still-may.ts'
import { withinLimit } from '#src/runtime/within-limit.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'
import { storeChange } from '#src/storage/changes/store-change.ts'
import { limitedDb } from '#src/storage/sight/read-sight.ts'

/** Carries out a call on a connection of the engine. */
export function sqlRunner(list: readonly (SqlOperation | Step)[]): SqlRunner {
  const byName = new Map(list.map((operation) => [operation.name, operation]))
  const run: SqlRunner = async (db, call, newId) => {
    const { name, caller, input, now, time_zone = 'UTC', precondition, once: request, page_text } = call
    const { plan, planned, scratch, ahead } = call
    const operation = byName.get(name)
    if (!operation) throw new Error(`no operation named ${name}`)
    const given = input as Record<string, unknown>
    const change = new OpenChange(operation.name, newId)
    // Others wait for what a change looks at, and for nothing else.
    const matching = operation.effect === 'write' && !plan && !scratch ? change.matching : undefined
    const context: SqlContext = {
      // By the service's time zone: what it sees is not the caller's to choose.
      db: caller.limited
        ? await limitedDb(db, caller.client!, { now: new Date(now), time_zone }, matching)
        : db,
      caller,
      now: new Date(now),
      time_zone: requestedTimeZone(given) ?? time_zone,
      newId,
      change,
      page_text,
      planned,
      scratch,
      ...requestedOptions(given),
    }
    if (plan && 'plan' in operation) return toReply(await operation.plan!(context, given))
    if (ahead === 'now') {
      if ('ahead' in operation) await operation.ahead!(context, given)
      return Reply.of(null)
    }
    const carryOut = async () => {
      await checkIfUpdatedAt(context, operation, given, precondition)
      return runChange(operation, context, given)
    }
    const reply = await (request ? once(context, request, carryOut) : carryOut())
    if (rollbackReason(reply)) return reply
    const { drafted, rings, concerns } = context.change
    if (!drafted && !rings && !concerns.size) return reply
    return new Reply(reply.json, {
      ...reply.meta,
      ...(drafted && { drafted }),
      ...(rings && { rings }),
      ...(concerns.size && { concerns: [...concerns] }),
    })
  }
  return (...call) => run(...call).catch(asResult)
}

/** Where storage has found that the call is to be made again, the engine and its wrappers get that as its result. */
function asResult(error: unknown): Reply {
  if (error instanceof RolledBack) return error.reply
  throw error
}

/** An operation by itself: its events are one change. */
export const runSql = (
  operation: SqlOperation | Step,
  call: Omit<SqlContext, 'change'>,
  input: Record<string, unknown>,
): Promise<Reply> =>
  runChange(operation, { ...call, change: new OpenChange(operation.name, call.newId) }, input)

/** The change is stored with its events. */
async function runChange(
  operation: SqlOperation | Step,
  context: SqlContext,
  input: Record<string, unknown>,
): Promise<Reply> {
  const { db, caller, change } = context
  if ('still' in operation && operation.still) await checkStillMay(context, operation.still)
  const run = (changed: Set<string>) => operation.run({ ...context, changed }, input)
  const reply =
    operation.effect !== 'write'
      ? toReply(await operation.run(context, input))
      : caller.limited
        ? await withinLimit(db, run)
        : caller.may_change
          ? await withinAllowance(caller.may_change, run)
          : toReply(await operation.run(context, input))
  if (rollbackReason(reply)) return reply
  if (context.scratch) return new Reply(reply.json)
  if (change.lastEvent === null) return reply
  await storeChange(db, caller, change)
  return new Reply(reply.json, { ...reply.meta, change_id: change.id })
}

/**
 * Runs a write of somebody who may change only this many items. An item counts that a bulk call reached, and one whose
 * change was recorded in `changed`.
 * @throws BadRequest, which takes all of it back
 */
async function withinAllowance(
  allowance: Allowance,
  run: (changed: Set<string>) => Promise<unknown>,
): Promise<Reply> {
  const recorded = new Set<string>()
  const reply = toReply(await run(recorded))
  const answer = JSON.parse(reply.json) as { affected_count?: number; dry_run?: boolean } | null
  const affected = answer?.dry_run ? 0 : (answer?.affected_count ?? 0)
  const changed = Math.max(recorded.size, affected)
  if (changed > allowance.left) throw tooManyChanges(allowance)
  return changed ? new Reply(reply.json, { ...reply.meta, changed }) : reply
}
