import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { hostname } from 'node:os'
import type { LogLevel } from '#src/config/config.ts'
import { pathOf } from '#src/api/http/error-response.ts'

/** Whatever is logged by one of these names is blotted out, at the top of an entry or one level below. */
const SECRETS = [
  'password',
  'current_password',
  'new_password',
  'code',
  'token',
  'secret',
  'state',
  'cookie',
  'authorization',
  'api_key',
  'client_secret',
  'private_key',
  'code_verifier',
  'id_token',
  'access_token',
]

/**
 * Structured logs, one line of JSON each, on standard error. An entry says what happened, never with which data:
 * no query, header or body is logged.
 */
export function logOptions(level: LogLevel): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    stream: process.stderr,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*["${name}"]`]), censor: '[redacted]' },
    serializers: {
      err: (error: unknown) => describeError(error),
      req: ({ method, url }) => ({ method, path: pathOf(url) }),
    },
  }
}

const LEVELS_WITH_ANSWERS: ReadonlySet<string> = new Set(['info', 'debug', 'trace'] satisfies LogLevel[])

interface ErrorEntry {
  type: string
  message: string
  stack: string
  [name: string]: unknown
}

/** Message, stack and cause; other properties may hold requests and answers of others, so they stay out. */
function describeError(error: unknown, depth = 0): ErrorEntry {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' }
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? { error_code: error.code } : {}
  return {
    type: name,
    message,
    stack: stack ?? '',
    ...code,
    ...(cause !== undefined && depth < 5 && { cause: describeError(cause, depth + 1) }),
  }
}

/**
 * One line for each answer, and none of Fastify's own, which name query and headers. The line holds nothing secret by
 * its making, so it goes past the logger, whose blotting out costs more than most answers; the lines of one turn of the
 * event loop are written at once.
 */
export class AnswerLog extends LogController {
  private readonly start = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`
  private lines = ''

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    { method, url, log, id, caller, ip }: FastifyRequest,
    { statusCode, elapsedTime }: FastifyReply,
  ): void {
    if (!LEVELS_WITH_ANSWERS.has(log.level)) return
    const ms = Math.round(elapsedTime * 10) / 10
    const path = pathOf(url)
    const user_id = caller?.user_id ?? undefined
    // Who tries to get in, and from where; of other requests the account is enough.
    const address = path.startsWith('/api/auth/') ? `"address":${JSON.stringify(ip)},` : ''
    if (error) log.info({ method, path, status: statusCode, ms, user_id, err: error }, 'broken off')
    else
      this.write(
        `{"level":30,"time":${Date.now()},${this.start},"reqId":"${id}","method":"${method}","path":${JSON.stringify(path)},` +
          `"status":${statusCode},"ms":${ms},${user_id ? `"user_id":"${user_id}",` : ''}${address}"msg":"answered"}\n`,
      )
  }

  private write(line: string): void {
    if (!this.lines) setImmediate(() => this.flush())
    this.lines += line
  }

  private flush(): void {
    process.stderr.write(this.lines)
    this.lines = ''
  }

  override defaultErrorLog(): void {}
}
