import { badRequest, type Problem, type ServiceError, toldFaults } from '#src/domain/errors.ts'

/** What is wrong with a filter, where, and what was probably meant. */
export interface FilterFault extends Problem {
  suggestion?: string
}

/** A filter that has more faults than these gets no more suggestions: each costs a look through all names. */
export const MAX_SUGGESTIONS = 10

/** A 400 whose message is the first fault's, word for word; `details.errors` has all of them. */
export function filterError(faults: readonly FilterFault[]): ServiceError {
  const [first] = faults
  const { errors, more } = toldFaults(faults)
  return badRequest((first?.message ?? 'Invalid filter') + more, {
    suggestion: first?.suggestion,
    details: { errors },
  })
}
