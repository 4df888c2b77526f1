import { badRequest, type Problem, type ServiceError } from '#src/domain/errors.ts'

/** What is wrong with a filter, where, and what was probably meant. */
export interface FilterFault extends Problem {
  suggestion?: string
}

/** A 400 whose message is the first fault's, word for word; `details.errors` has all of them. */
export function filterError(faults: readonly FilterFault[]): ServiceError {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more, see details.errors)` : ''
  return badRequest((first?.message ?? 'Invalid filter') + more, {
    suggestion: first?.suggestion,
    details: { errors: [...faults] },
  })
}
