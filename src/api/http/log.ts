import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import pino from 'pino'
import type { LogLevel } from '#src/config/config.ts'
import { pathOf } from '#src/api/http/error-response.ts'
import { withoutKeys } from '#src/auth/api-key.ts'
import { LogOutlet } from '#src/api/http/log-outlet.ts'
import { ServiceError } from '#src/domain/errors.ts'

const standardError = new LogOutlet(process.stderr)

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
 * no query, header or body is logged (decision 53).
 */
export function logOptions(level: LogLevel): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    stream: standardError,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*["${name}"]`]), censor: '[redacted]' },
    serializers: {
      err: (error: unknown) => describeError(error),
      req: ({ method, url }) => ({ method, path: loggedPath(url) }),
    },
  }
}

/** Who ends a key that has leaked may name it by itself (`DELETE /api/keys/facet_…`). */
const loggedPath = (url: string): string => withoutKeys(pathOf(url))

const LEVELS_WITH_ANSWERS: ReadonlySet<string> = new Set(['info', 'debug', 'trace'] satisfies LogLevel[])

interface ErrorEntry {
  type: string
  message: string
  stack: string
  [name: string]: unknown
}

/**
 * Message, stack and cause; other properties may hold requests and answers of others, so they stay out. A failure that
 * is foreseen says itself what was wrong: its stack would look like a bug to whoever reads the log.
 */
function describeError(error: unknown, depth = 0): ErrorEntry {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' }
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? { error_code: error.code } : {}
  return {
    type: name,
    message,
    stack: isForeseen(error) ? '' : (stack ?? ''),
    ...code,
    ...(cause !== undefined && depth < 5 && { cause: describeError(cause, depth + 1) }),
  }
}

const isForeseen = (error: Error) => error instanceof ServiceError && error.code !== 'InternalServerError'

/**
 * One line for each answer, and none of Fastify's own, which name query and headers. The line holds nothing secret by
 * its making, so it is written by a logger that blots nothing out, which would cost more than most answers; the lines
 * of one turn of the event loop go out at once.
 */
export class AnswerLog extends LogController {
  private readonly answers = pino({}, new LineBatch(standardError))

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    { method, url, log, id, caller, ip }: FastifyRequest,
    { statusCode, elapsedTime }: FastifyReply,
  ): void {
    if (!LEVELS_WITH_ANSWERS.has(log.level)) return
    const ms = Math.round(elapsedTime * 10) / 10
    const path = loggedPath(url)
    const user_id = caller?.user_id ?? undefined
    // Who tries to get in, and from where; of other requests the account is enough.
    const address = path.startsWith('/api/auth/') ? ip : undefined
    if (error) log.info({ method, path, status: statusCode, ms, user_id, err: error }, 'broken off')
    else this.answers.info({ reqId: id, method, path, status: statusCode, ms, user_id, address }, 'answered')
  }

  override defaultErrorLog(): void {}
}

/** Writes the lines of one turn of the event loop at once. */
class LineBatch {
  private readonly out: LogOutlet
  private lines = ''

  constructor(out: LogOutlet) {
    this.out = out
  }

  write(line: string): void {
    if (!this.lines) setImmediate(() => this.flush())
    this.lines += line
  }

  private flush(): void {
    this.out.write(this.lines)
    this.lines = ''
  }
}
