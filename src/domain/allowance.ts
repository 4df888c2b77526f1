import { badRequest, type ServiceError } from '#src/domain/errors.ts'

/** Of changes that a model makes for one message of its user. */
export interface Allowance {
  max: number
  /** What earlier calls have left of it. */
  left: number
}

export function tooManyChanges({ max, left }: Allowance): ServiceError {
  const before = left < max ? `, and ${max - left} of them have been changed` : ''
  return badRequest(
    `The assistant may change at most ${max} items for one message${before}: this would change more. Nothing was changed by it`,
    {
      suggestion:
        'Change fewer at once (where a tool takes dry_run, that says how many items), or tell the user what you would do and ask them to do it themselves',
    },
  )
}
