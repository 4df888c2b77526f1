import { type Problem, ServiceError } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'

/** A result of `tools/call`. A type and no interface, because the SDK wants open objects. */
export type ToolResult = {
  content: { type: 'text'; text: string }[]
  isError?: true
}

/** What REST would answer, and in a second block what REST says in headers. */
export function toolResult({ json, notes }: Reply): ToolResult {
  const { warnings, next, total } = notes ?? {}
  const beside = {
    ...(warnings?.length && { warnings }),
    ...(total !== undefined && { total }),
    ...(next !== undefined && { next: { after: next } }),
  }
  const content = [block(json)]
  if (Object.keys(beside).length) content.push(block(JSON.stringify(beside)))
  return { content }
}

export const toolFailure = (error: ServiceError): ToolResult => ({
  content: [block(`Error: ${errorInWords(error)}`)],
  isError: true,
})

const block = (text: string) => ({ type: 'text' as const, text })

/** Everything that helps a model to do it right the next time. */
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

/** What went wrong on our side stands in the log, not in the answer. */
export const ourFault = () =>
  new ServiceError('InternalServerError', 'Something went wrong on our side', {
    suggestion: 'Try again once; if it goes on, tell whoever runs the service',
  })
