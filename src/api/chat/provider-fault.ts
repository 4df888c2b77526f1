import { APICallError, RetryError, TypeValidationError } from 'ai'
import { ChatFault } from '#src/api/chat/chat-event.ts'
import type { LlmConfig } from '#src/config/config.ts'
import { isRecord } from '#src/domain/is-record.ts'

const MAX_MESSAGE = 500

/** What went wrong between us and the provider, for the user; the key is never in it. */
export function providerFault(error: unknown, config: LlmConfig): ChatFault {
  if (error instanceof ChatFault) return error
  if (error instanceof Error && error.cause instanceof ChatFault) return error.cause
  if (RetryError.isInstance(error)) return providerFault(error.lastError, config)
  const who = `The language model’s provider (${config.provider})`
  if (APICallError.isInstance(error) && error.statusCode !== undefined) {
    const { statusCode, message, responseHeaders } = error
    const hint = HINTS[statusCode] ?? againIn(responseHeaders?.['retry-after'])
    if (statusCode < 300) return new ChatFault('The language model’s answer was cut off')
    return new ChatFault(`${who} answered ${statusCode}: ${tidy(message, config)}${hint}`)
  }
  if (TypeValidationError.isInstance(error)) {
    const said = saidIn(error.value)
    const sent = said === undefined ? 'sent what the chat does not know' : 'failed'
    return new ChatFault(`${who} ${sent}: ${tidy(said ?? JSON.stringify(error.value), config)}`)
  }
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  if (name === 'TimeoutError') return new ChatFault(`${who} stopped answering`)
  return new ChatFault(`${who} failed: ${tidy(message, config)}`)
}

const HINTS: Record<number, string> = {
  401: ' (is LLM_API_KEY right?)',
  403: ' (is LLM_API_KEY allowed to use the model?)',
  404: ' (are LLM_MODEL and LLM_BASE_URL right?)',
}

/** When it takes questions again, where it says so: a number of seconds, or a date. */
function againIn(retryAfter = ''): string {
  const given = Number(retryAfter || NaN)
  const seconds = Math.ceil(Number.isNaN(given) ? (Date.parse(retryAfter) - Date.now()) / 1000 : given)
  if (!(seconds > 0)) return ''
  return ` (ask again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`})`
}

/** The words of an error that has another shape than the SDK knows, whose own message is a dump of its schema. */
function saidIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const { error, message } = value
  if (typeof error === 'string') return error
  return saidIn(error) ?? (typeof message === 'string' ? message : undefined)
}

function tidy(message: string, { api_key }: LlmConfig): string {
  const safe = api_key ? message.replaceAll(api_key, '…') : message
  return safe.length > MAX_MESSAGE ? `${safe.slice(0, MAX_MESSAGE)}…` : safe
}
