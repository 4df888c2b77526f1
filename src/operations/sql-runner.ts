import { toReply } from '#src/domain/reply.ts'
import type { SqlRunner } from '#src/engine/engine.ts'
import type { SqlOperation, Step } from '#src/operations/operation.ts'
import { requestedTimeZone } from '#src/operations/requested-time-zone.ts'

/** Carries out a call on a connection of the engine. */
export function sqlRunner(list: readonly (SqlOperation | Step)[]): SqlRunner {
  const byName = new Map(list.map((operation) => [operation.name, operation]))
  return async (db, { name, caller, input, now, time_zone = 'UTC' }, newId) => {
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
    return toReply(await operation.run(context, given))
  }
}
