import { SERVICE } from '#src/domain/caller.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import type { Step } from '#src/runtime/operation.ts'

/** Runs a step on behalf of the service itself; what it answers. `signal` ends a read that takes long. */
export async function runStep<I extends object, O>(
  runtime: Runtime,
  step: Step<I, O>,
  input: NoInfer<I>,
  signal?: AbortSignal,
): Promise<O> {
  const { json } = await runOperation(runtime, step, SERVICE, input, signal)
  return JSON.parse(json) as O
}
