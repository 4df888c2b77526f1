import { parseIsoTime } from '#src/domain/iso-time.ts'
import type { FilterFault } from '#src/filter/language/filter-fault.ts'
import { isRelativeTime, type RelativeTime, relativeTimeFault } from '#src/filter/language/relative-time.ts'

/** From which time on, and before which: as they were written. */
export type TimesBetween = readonly [ChangedTime, ChangedTime]
export type ChangedTime = string | RelativeTime

const REQUIRED = `'changed_between' requires an array of two times, from and before, e.g. [{"today": -7}, {"now": "PT0S"}]`

/** What is under `changed_between`. */
export function readChangedForm(value: unknown, path: string): TimesBetween | FilterFault {
  if (!Array.isArray(value) || value.length !== 2) return { path, message: REQUIRED }
  for (const [i, each] of value.entries()) {
    const fault = faultOf(each)
    if (fault !== undefined)
      return { path: `${path}[${i}]`, message: fault, suggestion: 'Take a time such as 2026-01-31T09:30:00Z' }
  }
  return value as unknown as TimesBetween
}

function faultOf(time: unknown): string | undefined {
  if (isRelativeTime(time)) return relativeTimeFault(time)
  if (typeof time === 'string' && parseIsoTime(time)) return undefined
  return `'changed_between' takes timestamps, dates and relative times`
}

/** The time as the first whole millisecond that is not before it; `absolute` is ISO 8601. */
export const firstMillisecond = (absolute: string): number => parseIsoTime(absolute)!.ceil
