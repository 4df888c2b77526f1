/** The codes that a caller can meet; each interface maps them to its own protocol (specification, Errors). */
export type ErrorCode =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'RequestTimeout'
  | 'Conflict'
  | 'Gone'
  | 'PreconditionFailed'
  | 'PayloadTooLarge'
  | 'UnsupportedMediaType'
  | 'RangeNotSatisfiable'
  | 'UnprocessableEntity'
  | 'TooManyRequests'
  | 'InternalServerError'
  | 'ServiceUnavailable'
  | 'InsufficientStorage'

/** One fault of an input; `path` is where it is, e.g. `items[3].tags[0].field_values.priority`. */
export interface Problem {
  path: string
  message: string
}

export interface ErrorDetails {
  errors?: Problem[]
  [key: string]: unknown
}

interface ErrorOptions {
  suggestion?: string
  details?: ErrorDetails
  /** What leaves as the header WWW-Authenticate. */
  challenge?: string
}

/** The one error that operations throw. Everything else is a bug and leaves as a bland 500. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly suggestion: string | undefined
  readonly details: ErrorDetails | undefined
  readonly challenge: string | undefined
  /** It was answered before, to the same request under its Idempotency-Key. */
  replayed?: true

  constructor(code: ErrorCode, message: string, { suggestion, details, challenge }: ErrorOptions = {}) {
    super(message)
    this.name = 'ServiceError'
    this.code = code
    this.suggestion = suggestion
    this.details = details
    this.challenge = challenge
  }
}

export const badRequest = (message: string, options?: ErrorOptions) =>
  new ServiceError('BadRequest', message, options)
export const unauthorized = (message: string, options?: ErrorOptions) =>
  new ServiceError('Unauthorized', message, options)
/** A key or another token that is none, or none any more (RFC 6750 §3.1). */
export const invalidToken = (message: string, options?: ErrorOptions) =>
  unauthorized(message, { ...options, challenge: 'Bearer error="invalid_token"' })
export const forbidden = (message: string, options?: ErrorOptions) =>
  new ServiceError('Forbidden', message, options)
export const conflict = (message: string, options?: ErrorOptions) =>
  new ServiceError('Conflict', message, options)
export const gone = (message: string, options?: ErrorOptions) => new ServiceError('Gone', message, options)
export const tooLarge = (message: string, options?: ErrorOptions) =>
  new ServiceError('PayloadTooLarge', message, options)
export const insufficientStorage = (message: string, options?: ErrorOptions) =>
  new ServiceError('InsufficientStorage', message, options)
export const unprocessable = (message: string, options?: ErrorOptions) =>
  new ServiceError('UnprocessableEntity', message, options)
export const unavailable = (message: string, options?: ErrorOptions) =>
  new ServiceError('ServiceUnavailable', message, options)

/** Of the disk that the database is on, by its engine. */
export const DISK_FULL = {
  sqlite: 'The disk is full: nothing was changed',
  postgres: 'The disk of the database is full: nothing was changed',
} as const

/** It failed to write, full or not. */
export const DISK_FAILS = {
  sqlite: 'The disk does not answer as it should: nothing was changed',
  postgres: 'The disk of the database does not answer as it should: nothing was changed',
} as const

/** `retry_after` is in whole seconds and leaves as the Retry-After header. */
export const tooManyRequests = (message: string, retry_after: number) =>
  new ServiceError('TooManyRequests', message, { details: { retry_after } })

export const notFound = (kind: string, id: string, options?: ErrorOptions) =>
  new ServiceError('NotFound', `${kind} '${id}' not found`, options)

/** More faults than these help nobody; checks may stop looking when they have found more. */
export const MAX_PROBLEMS = 100

/** How many faults there are of which some are named; not `isAll`: that many were found before the search ended. */
interface Found {
  count: number
  isAll: boolean
}

/** The faults that an error lists, and what its message says of those after the first. */
export function toldFaults<Fault extends Problem>(
  faults: readonly Fault[],
  // Checks that count no further stop once they have found more than are named.
  { count, isAll }: Found = { count: faults.length, isAll: faults.length <= MAX_PROBLEMS },
): { errors: (Fault | Problem)[]; more: string } {
  const errors: (Fault | Problem)[] = faults.slice(0, MAX_PROBLEMS)
  const least = isAll ? '' : 'at least '
  const left = count - errors.length
  if (left > 0)
    errors.push({ path: '', message: `and ${least}${left} more ${left === 1 ? 'fault' : 'faults'}` })
  return { errors, more: count > 1 ? ` (and ${least}${count - 1} more, see details.errors)` : '' }
}

/** A 400 that lists every fault at once in `details.errors`; the message names the first. */
export function invalid(
  problems: readonly Problem[],
  { found, ...options }: ErrorOptions & { found?: Found } = {},
): ServiceError {
  const [first] = problems
  const named = first ? `${first.path ? `${first.path}: ` : ''}${first.message}` : 'invalid input'
  const { errors, more } = toldFaults(problems, found)
  return new ServiceError('BadRequest', named + more, { ...options, details: { errors } })
}

/** What an exhausted switch falls into; the type system proves that it is never reached. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
