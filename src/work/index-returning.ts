import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICE } from '#src/domain/caller.ts'
import type { Reply } from '#src/domain/reply.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import { abandoned } from '#src/engine/ended.ts'
import type { Engine, Limits, SqlCall } from '#src/engine/engine.ts'
import { returnToIndexes } from '#src/operations/service/upkeep-steps.ts'
import { overtaken } from '#src/runtime/run-planned.ts'

/** Items in one transaction, for which others wait. */
const AT_ONCE = 500
/** Whoever changes tags meanwhile makes what has been brought back worthless. */
const MOST_ROUNDS = 5

/**
 * Plans a change. Where that asks for deleted items to be in the indexes again, they are brought back alongside others'
 * writes, half of the time being theirs, and it is planned anew (decision 46). `onWrite` is called after each part.
 */
export async function planReturning(
  engine: Engine,
  call: SqlCall,
  limits: Limits | undefined,
  onWrite: () => void,
): Promise<Reply> {
  for (let rounds = 0; ; rounds++) {
    const reply = await engine.read(call, limits)
    if (rollbackReason(reply) !== 'out_of_indexes') return reply
    if (rounds === MOST_ROUNDS) throw overtaken()
    await returnAll(engine, reply.meta!.rolled_back!.items!, limits?.signal, onWrite)
  }
}

async function returnAll(
  engine: Engine,
  items: readonly number[],
  signal: AbortSignal | undefined,
  onWrite: () => void,
): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    if (signal?.aborted) throw abandoned()
    const began = performance.now()
    const input = { ids: items.slice(at, at + AT_ONCE) }
    await engine.write({ name: returnToIndexes.name, caller: SERVICE, input, now: Date.now() })
    onWrite()
    await sleep(performance.now() - began)
  }
}
