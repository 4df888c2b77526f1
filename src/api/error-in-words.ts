import type { Problem, ServiceError } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'

/** An error as a model reads it: everything that helps to do it right the next time. */
export function errorInWords({ code, message, suggestion, details }: ServiceError): string {
  const faults = (details?.errors ?? []).map(inWords)
  const lines = [
    ...(faults.length > 1 ? [`${faults.length} faults:`, ...faults] : [message]),
    ...(suggestion ? [suggestion] : []),
    ...(code === 'PreconditionFailed' ? [currentInWords(details?.current)] : []),
  ]
  return inToolWords(lines.join('\n'))
}

/**
 * A route, or a header, behind which the tools' word for it is in parentheses, becomes that word (additions §12):
 * `POST /api/changes/search (list_changes)`.
 */
const inToolWords = (text: string): string =>
  text.replaceAll(/(?:(?:GET|POST|PUT|DELETE) \/api\/[^\s()]*|X-[A-Z][\w-]*) \(([\w.]+)\)/g, '$1')

/** A filter's faults come with a suggestion each. */
const inWords = ({ path, message, suggestion }: Problem & { suggestion?: string }) =>
  `- ${path ? `${path}: ` : ''}${message}${suggestion ? ` (${suggestion})` : ''}`

/** Characters of what a refused change found. */
const MAX_CURRENT = 30_000

/** What a refused change found, one entity or several by id (additions §5); where it is long, what to go by. */
function currentInWords(current: unknown): string {
  const whole = JSON.stringify({ details: { current } })
  if (whole.length <= MAX_CURRENT || !isRecord(current)) return whole
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

function* firstOf(entities: Record<string, unknown>): Generator<[id: string, entity: unknown]> {
  let room = MAX_CURRENT
  for (const [id, entity] of Object.entries(entities)) {
    const brief = briefly(entity)
    room -= id.length + JSON.stringify(brief).length
    if (room < 0) return
    yield [id, brief]
  }
}
