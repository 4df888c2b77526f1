import { ServiceError } from '#src/domain/errors.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'

/** Which states a change may find: any that exists, or one of these (times of `updated_at`). Additions §5. */
export type Precondition = '*' | readonly string[]

/**
 * The state is another than the one that the change was meant for.
 * @param current the entity as it is now
 */
export const preconditionFailed = (current: unknown): ServiceError =>
  new ServiceError('PreconditionFailed', 'It has been changed since it was read', {
    suggestion: 'Look at details.current, and try again with its updated_at',
    details: { current },
  })

/** The same of a change of many. @param current those that differ, as they are now, by id; null for what is not there */
export const bulkPreconditionFailed = (count: number, current: Record<string, unknown>): ServiceError =>
  new ServiceError(
    'PreconditionFailed',
    count === 1
      ? 'An item has been changed since it was read'
      : `${count} items have been changed since they were read`,
    {
      suggestion: 'Nothing was changed. Look at details.current, and try again with their updated_at',
      details: { current, differing_count: count },
    },
  )

export const holds = (wanted: Precondition, updated_at: string): boolean =>
  wanted === '*' || wanted.includes(updated_at)

/** The state that an input names by a time: programs that parse and print times write the same one in their own way. */
export function stateAt(time: string): string {
  const parsed = parseIsoTime(time)
  return parsed && parsed.floor === parsed.ceil ? new Date(parsed.floor).toISOString() : time
}

/** Later than `now` and than the last change by at least a millisecond, so that every change of an entity shows. */
export function laterThan(last: string, now: Date): string {
  const at = now.toISOString()
  return at > last ? at : new Date(Date.parse(last) + 1).toISOString()
}
