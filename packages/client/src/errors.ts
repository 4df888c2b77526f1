/** One fault of an input; `path` is where it is. */
export interface Problem {
  path: string
  message: string
}

/** What a refused call is told besides its message. */
export interface ErrorDetails {
  /** Every fault of the input. */
  errors?: Problem[]
  /** Seconds. */
  retry_after?: number
  [name: string]: unknown
}

interface ErrorBody {
  error: string
  message: string
  suggestion?: string
  details?: ErrorDetails
}

/** What the headers of a refusal say. */
interface Told {
  /** Of the header Retry-After, in seconds. */
  retry_after?: number | undefined
  request_id?: string | undefined
  cause?: unknown
}

/** Why a call did not come to its end. */
export class FacetError extends Error {
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  /** The service's word for it, such as `NotFound`; `Unreachable` where no answer came. */
  readonly error: string
  readonly details: ErrorDetails
  /** How to do it right, where that is known. */
  readonly suggestion: string | undefined
  /** Seconds after which to ask again, where the service said so. */
  readonly retry_after: number | undefined
  /** How the service's log names the request. */
  readonly request_id: string | undefined

  constructor(status: number, { error, message, suggestion, details = {} }: ErrorBody, told: Told = {}) {
    super(message, told.cause === undefined ? undefined : { cause: told.cause })
    this.name = 'FacetError'
    this.status = status
    this.error = error
    this.details = details
    this.suggestion = suggestion
    this.retry_after = told.retry_after ?? details.retry_after
    this.request_id = told.request_id
  }
}

/** 404: what was asked for is not there. */
export class NotFound extends FacetError {
  override readonly name = 'NotFound'
}

/** 409: it is there already, or something else has come in between. */
export class Conflict extends FacetError {
  override readonly name = 'Conflict'
}

/** 412: it is in another state than `if_updated_at` names; `details.current` is what it is now. */
export class PreconditionFailed extends FacetError {
  override readonly name = 'PreconditionFailed'
}

/** 429: too often; `retry_after` says how many seconds to wait. */
export class RateLimited extends FacetError {
  override readonly name = 'RateLimited'
}

const CLASSES: Readonly<Record<number, typeof FacetError>> = {
  404: NotFound,
  409: Conflict,
  412: PreconditionFailed,
  429: RateLimited,
}

/** An answer that refuses, as an error. */
export function refusal({ status, headers }: Response, text: string): FacetError {
  const kind = CLASSES[status] ?? FacetError
  return new kind(status, bodyOf(status, text), {
    retry_after: secondsUntil(headers.get('retry-after')),
    request_id: headers.get('x-request-id') ?? undefined,
  })
}

/** No answer came, or only a part of one. */
export const unreachable = (url: string, cause: unknown): FacetError =>
  new FacetError(0, { error: 'Unreachable', message: `${url} does not answer` }, { cause })

function bodyOf(status: number, text: string): ErrorBody {
  try {
    const known = JSON.parse(text) as Partial<ErrorBody> | null
    if (typeof known?.error === 'string' && typeof known.message === 'string')
      return { ...(known as ErrorBody), details: known.details ?? {} }
  } catch {}
  // A proxy in between answers in its own words.
  return { error: 'Unknown', message: `The answer has the status ${status}, and is not the service's own` }
}

/** Retry-After is a number of seconds, of which some send parts, or a date, which begins with its weekday. */
function secondsUntil(text: string | null): number | undefined {
  if (text === null) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const seconds = /^[a-z]/i.test(text) ? (Date.parse(text) - Date.now()) / 1000 : NaN
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
