import type { Problem, ServiceError } from '#src/domain/errors.ts'

/** An error as a model reads it: everything that helps to do it right the next time. */
export function errorInWords({ message, suggestion, details }: ServiceError): string {
  const faults = (details?.errors ?? []).map(inWords)
  return [
    ...(faults.length > 1 ? [`${faults.length} faults:`, ...faults] : [message]),
    ...(suggestion ? [suggestion] : []),
  ].join('\n')
}

/** A filter's faults come with a suggestion each. */
const inWords = ({ path, message, suggestion }: Problem & { suggestion?: string }) =>
  `- ${path ? `${path}: ` : ''}${message}${suggestion ? ` (${suggestion})` : ''}`
