import { invalid } from '#src/domain/errors.ts'
import { nearest } from '#src/domain/nearest.ts'
import { isTimeZone } from '#src/domain/zoned-time.ts'
import type { SqlContext } from '#src/runtime/operation.ts'

/** How a bulk change deals with warnings and examples, where its input says it. */
export function requestedOptions(input: unknown): Pick<SqlContext, 'allow_warnings' | 'sample'> {
  const { allow_warnings, sample } = input as { allow_warnings?: unknown; sample?: unknown }
  return { ...(allow_warnings === true && { allow_warnings }), ...(typeof sample === 'number' && { sample }) }
}

/**
 * The time zone that an input asks for.
 * @throws BadRequest where there is no such zone
 */
export function requestedTimeZone({ time_zone }: { time_zone?: unknown }): string | undefined {
  if (typeof time_zone !== 'string' || isTimeZone(time_zone)) return time_zone as string | undefined
  const meant = nearest(time_zone, Intl.supportedValuesOf('timeZone'))
  const hint = meant ? `did you mean '${meant}'?` : 'give a name such as Europe/Vienna'
  throw invalid([{ path: 'time_zone', message: `'${time_zone}' is no time zone; ${hint}` }])
}
