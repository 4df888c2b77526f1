const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'

/**
 * Whether a client asks for JSON alone, as the explorer and curl do. The protocol wants clients to take event streams
 * too and the SDK refuses others, but what we answer to a request is one message, which is JSON as well.
 */
export const wantsJsonOnly = (accept: string | undefined): boolean =>
  accept === undefined || (!accept.includes(EVENTS) && (accept.includes(JSON_TYPE) || accept.includes('*/*')))

/** What the SDK is told in place of that. */
export const BOTH = `${JSON_TYPE}, ${EVENTS}`

/** The messages of an event stream as JSON. */
export async function asJson(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith(EVENTS)) return answer
  const messages = Array.from((await answer.text()).matchAll(/^data: (\S.*)$/gm), ([, data]) => data!)
  const headers = new Headers(answer.headers)
  headers.set('content-type', `${JSON_TYPE}; charset=utf-8`)
  return new Response(messages.length === 1 ? messages[0] : `[${messages.join(',')}]`, {
    status: answer.status,
    headers,
  })
}
