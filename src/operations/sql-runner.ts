import type { Precondition } from '#src/domain/precondition.ts'
import { toReply } from '#src/domain/reply.ts'
import type { SqlRunner } from '#src/engine/engine.ts'
import { checkPrecondition } from '#src/operations/conditional.ts'
import { once } from '#src/operations/idempotency.ts'
import type { SqlOperation, Step } from '#src/operations/operation.ts'
import { requestedTimeZone } from '#src/operations/requested-time-zone.ts'

/** Carries out a call on a connection of the engine. */
export function sqlRunner(list: readonly (SqlOperation | Step)[]): SqlRunner {
  const byName = new Map(list.map((operation) => [operation.name, operation]))
  return async (db, { name, caller, input, now, time_zone = 'UTC', precondition, once: request }, newId) => {
    const operation = byName.get(name)
    if (!operation) throw new Error(`no operation named ${name}`)
    const given = input as Record<string, unknown>
    const context = {
      db,
      caller,
      now: new Date(now),
      time_zone: requestedTimeZone(given) ?? time_zone,
      newId,
    }
    const run = async () => {
      const entity = 'conditional' in operation ? operation.conditional : undefined
      const wanted = ifUpdatedAt(given) ?? precondition
      if (entity && wanted && operation.effect === 'write')
        await checkPrecondition(context, entity, given, wanted)
      return toReply(await operation.run(context, given))
    }
    return request ? once(context, request, run) : run()
  }
}

/** A tool's argument for the state that a change is meant for. */
const ifUpdatedAt = ({ if_updated_at }: Record<string, unknown>): Precondition | undefined =>
  typeof if_updated_at === 'string' ? [if_updated_at] : undefined
