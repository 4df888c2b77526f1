/** One fault of an input; `path` is where it is. */
export interface Problem {
  path: string
  message: string
}

interface Body {
  error: string
  message: string
  suggestion?: string
  details?: { errors?: Problem[]; retry_after?: number; [key: string]: unknown }
}

const NOT_FOUND = /^([a-z][a-z ]*) '[0-7][0-9A-HJKMNP-TV-Z]{25}' not found$/i

/** `Use that tag (01JJ…)`: a person knows which one is meant. */
const ID_BESIDE = / \([0-7][0-9A-HJKMNP-TV-Z]{25}\)/g

/** `(and 2 more, see details.errors)`: what a program reads there. */
const ELSEWHERE = /, see details\.\w+\)$/

/** What is not there is named by its id, which says nothing to a person. */
function withoutId(message: string): string {
  const [, kind] = NOT_FOUND.exec(message) ?? []
  return kind
    ? `There is no such ${kind.toLowerCase()} any more: it may have been deleted meanwhile`
    : message
}

const ended = (sentence: string) => (/[.?!…]$/.test(sentence) ? sentence : `${sentence}.`)

/** Why a call did not come to its end: what the service said, or that it said nothing. */
export class Fault extends Error {
  /** 0 where there was no answer. */
  readonly status: number
  /** `NotFound` and its like; `Unreachable` where there was no answer. */
  readonly code: string
  readonly suggestion: string | undefined
  readonly details: NonNullable<Body['details']>

  constructor(status: number, { error, message, suggestion, details }: Body) {
    super((status === 404 ? withoutId(message) : message).replace(ELSEWHERE, ')'))
    this.name = 'Fault'
    this.status = status
    this.code = error
    this.suggestion = suggestion?.replaceAll(ID_BESIDE, '')
    this.details = details ?? {}
  }

  /** What went wrong and what helps, as sentences; a way out that names a route is one for programs. */
  get inFull(): string {
    const { message, suggestion } = this
    return suggestion && !suggestion.includes('/api/') ? `${ended(message)} ${ended(suggestion)}` : message
  }

  /** Every fault of the input, by its place. */
  get problems(): readonly Problem[] {
    return this.details.errors ?? []
  }

  /** What is wrong with one field of a form. */
  problemOf(path: string): string | undefined {
    return this.problems.find((each) => each.path === path)?.message
  }

  /** Seconds to wait for, of a 429. */
  get retryAfter(): number | undefined {
    return this.details.retry_after
  }
}

export const unreachable = (): Fault =>
  new Fault(0, { error: 'Unreachable', message: 'The service does not answer.' })

/** A rejected call as a value: `const answer = await call(…).catch(toFault)`. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  throw error
}
