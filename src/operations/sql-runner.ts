import { toReply } from '#src/domain/reply.ts'
import type { SqlRunner } from '#src/engine/engine.ts'
import type { SqlOperation, Step } from '#src/operations/operation.ts'

/** Carries out a call on a connection of the engine. */
export function sqlRunner(list: readonly (SqlOperation | Step)[]): SqlRunner {
  const byName = new Map(list.map((operation) => [operation.name, operation]))
  return async (db, { name, caller, input, now }, newId) => {
    const operation = byName.get(name)
    if (!operation) throw new Error(`no operation named ${name}`)
    return toReply(
      await operation.run({ db, caller, now: new Date(now), newId }, input as Record<string, unknown>),
    )
  }
}
