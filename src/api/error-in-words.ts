import type { Problem, ServiceError } from '#src/domain/errors.ts'

/** An error as a model reads it: everything that helps to do it right the next time. */
export function errorInWords({ message, suggestion, details }: ServiceError): string {
  const faults = (details?.errors ?? []).map(inWords)
  const lines = [
    ...(faults.length > 1 ? [`${faults.length} faults:`, ...faults] : [message]),
    ...(suggestion ? [suggestion] : []),
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
