/** The validated settings of the service (decisions §1); made from the environment by `src/config.ts` alone. */
export interface Config {
  readonly host: string
  readonly port: number
  /** What the browser sees, without a trailing slash. */
  readonly public_url: string
  readonly tls: { readonly cert: string; readonly key: string } | null
  readonly trust_proxy: boolean
  readonly database: DatabaseConfig
  readonly registration: Registration
  readonly cors_origins: readonly string[]
  /** Bytes. */
  readonly body_limit: number
  readonly log_level: LogLevel
}

export type DatabaseConfig =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string }

export type Registration =
  | { readonly kind: 'open' | 'closed' }
  | { readonly kind: 'domain'; readonly domains: readonly string[] }

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
