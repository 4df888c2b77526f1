import { type ErrorCode, type ErrorDetails, ServiceError } from '#src/domain/errors.ts'
import { isDamage, sqliteFault } from '#src/sql/sqlite-fault.ts'

/** An error as plain data, to cross from a worker thread. */
export interface Failure {
  /** null: not a ServiceError, its text is for the log only. */
  code: ErrorCode | null
  message: string
  suggestion?: string | undefined
  details?: ErrorDetails | undefined
  stack?: string | undefined
  replayed?: true | undefined
  /** The database file is broken. */
  damage?: true
  /** The world outside kept the database from working: the disk, another program's lock. */
  outside?: true
}

export function toFailure(error: unknown): Failure {
  const outside = sqliteFault(error)
  const known = error instanceof ServiceError ? error : outside
  if (known) {
    const { code, message, suggestion, details, replayed } = known
    const cause = {
      ...(outside && { outside: true as const }),
      ...(isDamage(error) && { damage: true as const }),
    }
    return { code, message, suggestion, details, replayed, ...cause }
  }
  if (error instanceof Error) return { code: null, message: error.message, stack: error.stack }
  return { code: null, message: String(error) }
}

export function fromFailure({ code, message, suggestion, details, replayed, stack }: Failure): Error {
  if (code) {
    const known = new ServiceError(code, message, {
      ...(suggestion && { suggestion }),
      ...(details && { details }),
    })
    if (replayed) known.replayed = replayed
    return known
  }
  const error = new Error(message)
  if (stack) error.stack = stack
  return error
}
