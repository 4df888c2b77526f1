import type { FastifyBaseLogger } from 'fastify'

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1]

/** The log of one request, bound to its id only when something is said, which is rare. */
export const requestLog = (base: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger =>
  new RequestLog(base, bindings) as FastifyBaseLogger

class RequestLog {
  private readonly base: FastifyBaseLogger
  private readonly bindings: Bindings

  constructor(base: FastifyBaseLogger, bindings: Bindings) {
    this.base = base
    this.bindings = bindings
  }

  get level(): string {
    return this.base.level
  }

  child(bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
    return this.base.child({ ...this.bindings, ...bindings }, options)
  }

  fatal(...entry: unknown[]): void {
    this.say('fatal', entry)
  }
  error(...entry: unknown[]): void {
    this.say('error', entry)
  }
  warn(...entry: unknown[]): void {
    this.say('warn', entry)
  }
  info(...entry: unknown[]): void {
    this.say('info', entry)
  }
  debug(...entry: unknown[]): void {
    this.say('debug', entry)
  }
  trace(...entry: unknown[]): void {
    this.say('trace', entry)
  }
  silent(): void {}

  private say(level: Level, entry: unknown[]): void {
    const log = this.base.child(this.bindings)
    const write: (...args: unknown[]) => void = log[level]
    write.apply(log, entry)
  }
}
