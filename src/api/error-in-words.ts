import { cutText } from '#src/domain/cut-text.ts'
import type { ErrorDetails, Problem, ServiceError } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'

/** An error as a model reads it: everything that helps to do it right the next time. */
export function errorInWords({ code, message, suggestion, details }: ServiceError): string {
  const faults: Fault[] = details?.errors ?? []
  // What is advised for all of it stands once, at the end.
  const own = faults.map((each) =>
    each.suggestion === suggestion ? { ...each, suggestion: undefined } : each,
  )
  const lines = [
    ...(own.length > 1 ? [`${own.length} faults:`, ...own.map(inWords)] : [placed(message, own[0])]),
    ...(suggestion ? [cutText(suggestion, MAX_SENTENCE)] : []),
    ...(code === 'PreconditionFailed' ? [currentInWords(details?.current)] : []),
    ...othersInWords(details),
  ]
  return inToolWords(lines.join('\n'))
}

/**
 * A route, or a header, behind which the tools' word for it is in parentheses, becomes that word (additions §12):
 * `POST /api/changes/search (list_changes)`.
 */
const inToolWords = (text: string): string =>
  text.replaceAll(
    /(?:(?:GET|POST|PUT|DELETE) \/api\/[^\s()]*|X-[A-Z][\w-]*|Idempotency-Key) \(([\w.]+)\)/g,
    '$1',
  )

/** Characters of a place, and of a sentence: they may quote names of any length, which the model has sent itself. */
const MAX_PLACE = 300
const MAX_SENTENCE = 2000

/** A filter's faults come with a suggestion each. */
type Fault = Problem & { suggestion?: string | undefined }

const inWords = ({ path, message, suggestion }: Fault) =>
  `- ${path ? `${cutText(path, MAX_PLACE)}: ` : ''}${cutText(message, MAX_SENTENCE)}${suggestion ? ` (${cutText(suggestion, MAX_SENTENCE)})` : ''}`

/** Messages that are the same wherever their fault is, as of an unknown tag, do not name its place themselves. */
const placed = (message: string, fault: Problem | undefined): string =>
  !fault?.path || message.includes(fault.path)
    ? cutText(message, MAX_SENTENCE)
    : `${cutText(message, MAX_SENTENCE)} (${cutText(fault.path, MAX_PLACE)})`

/** Details that are said in other ways: as faults, by `currentInWords`, in the message. */
const SAID = new Set(['errors', 'current', 'warnings'])

/** What else belongs to the error, e.g. the conflicts that its message sends to; where it is long, what to go by. */
function othersInWords(details: ErrorDetails = {}): string[] {
  const others = Object.entries(details).filter(([name]) => !SAID.has(name))
  if (!others.length) return []
  const whole = JSON.stringify({ details: Object.fromEntries(others) })
  if (whole.length <= MAX_DETAILS) return [whole]
  const brief = others.map(([name, value]) => [
    name,
    Array.isArray(value) ? [...firstOf(value)].map(([, each]) => each) : briefly(value),
  ])
  return [JSON.stringify({ details: { ...(Object.fromEntries(brief) as object), truncated: true } })]
}

/** Characters of what belongs to an error. */
const MAX_DETAILS = 30_000

/** What a refused change found, one entity or several by id (additions §5); where it is long, what to go by. */
function currentInWords(current: unknown): string {
  const whole = JSON.stringify({ details: { current } })
  if (whole.length <= MAX_DETAILS || !isRecord(current)) return whole
  const isOne = typeof current.updated_at === 'string'
  const brief = isOne ? briefly(current) : Object.fromEntries(firstOf(current))
  return JSON.stringify({ details: { current: brief, truncated: true } })
}

const briefly = (entity: unknown) =>
  isRecord(entity)
    ? Object.fromEntries(
        Object.entries(entity).filter(
          ([, value]) => typeof value !== 'object' && JSON.stringify(value).length <= MAX_SHORT,
        ),
      )
    : entity

/** Characters of a value that are shown where the whole is too long. */
const MAX_SHORT = 200

function* firstOf(entities: object): Generator<[id: string, entity: unknown]> {
  let room = MAX_DETAILS
  for (const [id, entity] of Object.entries(entities)) {
    const brief = briefly(entity)
    room -= id.length + JSON.stringify(brief).length
    if (room < 0) return
    yield [id, brief]
  }
}
