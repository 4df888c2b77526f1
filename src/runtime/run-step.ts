import { SERVICE } from '#src/domain/caller.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import type { Step } from '#src/runtime/operation.ts'

/** Runs a step on behalf of the service itself; what it answers. */
export async function runStep<I extends object, O>(
  runtime: Runtime,
  step: Step<I, O>,
  input: NoInfer<I>,
): Promise<O> {
  const { json } = await runOperation(runtime, step, SERVICE, input)
  return JSON.parse(json) as O
}
