import { SERVICE } from '#src/domain/caller.ts'
import type { Engine } from '#src/engine/engine.ts'
import type { Runtime } from '#src/runtime/call.ts'
import type { Step } from '#src/runtime/operation.ts'

/** Of what a use is being written now. */
const underWay = new WeakMap<Engine, Set<string>>()

/**
 * Writes that a session, key or app was used, alongside the answer: a read waits for nobody who writes, and does not
 * fail where nothing can be written. What is answered settles when it was tried; null: it is being written already.
 */
export function writeBeside<I extends object>(
  { engine, clock }: Pick<Runtime, 'engine' | 'clock'>,
  id: string,
  step: Step<I>,
  input: NoInfer<I>,
): Promise<void> | null {
  let ids = underWay.get(engine)
  if (!ids) underWay.set(engine, (ids = new Set()))
  if (ids.has(id)) return null
  ids.add(id)
  return engine
    .write({ name: step.name, caller: SERVICE, input, now: clock() })
    .then(
      () => {},
      () => {},
    )
    .finally(() => ids.delete(id))
}
