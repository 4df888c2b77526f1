import type { SqlContext } from '#src/runtime/operation.ts'

/** How a bulk change deals with warnings and examples, where its input says it. */
export function requestedOptions(input: unknown): Pick<SqlContext, 'allow_warnings' | 'sample'> {
  const { allow_warnings, sample } = input as { allow_warnings?: unknown; sample?: unknown }
  return { ...(allow_warnings === true && { allow_warnings }), ...(typeof sample === 'number' && { sample }) }
}
