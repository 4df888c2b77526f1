import type { Role } from '#src/domain/caller.ts'

/** The validated settings of the service (decisions §1); made from the environment by `src/config/read-config.ts` alone. */
export interface Config {
  /** What is set by names that are probably slips, in sentences. */
  readonly misspelled: readonly string[]
  readonly host: string
  readonly port: number
  /** What the browser sees, without a trailing slash. */
  readonly public_url: string
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** How many proxies in front are believed, or the addresses and networks of those that are. */
  readonly trust_proxy: number | readonly string[]
  readonly database: DatabaseConfig
  readonly idp_a: IdentityProviderConfig | null
  readonly idp_b: IdentityProviderConfig | null
  /** Whether they sign anybody in. */
  readonly passwords: boolean
  readonly account_linking: 'merge' | 'strict'
  readonly registration: Registration
  /** Of accounts that no invitation gives another one. */
  readonly default_role: 'editor' | 'reader'
  readonly fresh_proof: 'new' | 'all'
  readonly security_log_days: number
  /** In base64: the first seals what must be read again, all open it; none: the file next to the database. */
  readonly secret_keys: readonly string[]
  /** Metadata documents of apps may come from private addresses. */
  readonly app_fetch_private: boolean
  /** Webhooks may lead to private addresses. */
  readonly webhook_private: boolean
  readonly llm: LlmConfig
  readonly cors_origins: readonly string[]
  /** Bytes. */
  readonly body_limit: number
  readonly max_connections: number
  /** Of one address; 0: any number; null: as the service has it, those of this machine not counted. */
  readonly max_per_address: number | null
  readonly log_level: LogLevel
  /** Where metrics are served to anyone who asks; null: only on the main port, to owners. */
  readonly metrics: { readonly host: string; readonly port: number } | null
  /** Requests a minute of an account, a key or an app; 0: any number. */
  readonly rate_limit: number
  /** Where it is today, for requests that do not say: an IANA name. */
  readonly time_zone: string
  /** Milliseconds that a read may take. */
  readonly query_timeout: number
  readonly backup: BackupConfig
  readonly files: FilesConfig
  readonly s3: S3Service
  /** Bytes of one file. */
  readonly file_limit: number
}

/** Where the bytes of files are. */
export type FilesConfig =
  | {
      readonly kind: 'folder'
      readonly folder: string
      /** No setting names it. */ readonly isDefault: boolean
    }
  | S3Config

/** A place in a bucket, with what opens it. */
export interface S3Config extends S3Place {
  readonly kind: 's3'
  /** Null: Amazon's. */
  readonly endpoint: string | null
  readonly region: string
  readonly access_key_id: string
  readonly secret_access_key: string
}

export interface S3Place {
  readonly bucket: string
  /** Without slashes around it; may be empty. */
  readonly prefix: string
}

/** The service that FILES, BACKUP_TO and `restore` mean by `s3://`. */
export interface S3Service extends Pick<S3Config, 'endpoint' | 'region'> {
  readonly access_key_id: string | null
  readonly secret_access_key: string | null
}

export interface BackupConfig {
  /** The folder of the copies, or `s3://bucket/prefix`; null: none are made. */
  readonly to: string | null
  /** When, as cron writes it. */
  readonly at: string
  readonly keep: KeepPlan
}

/** Of how many days, ISO weeks and months that have a copy the newest stays. */
export interface KeepPlan {
  readonly days: number
  readonly weeks: number
  readonly months: number
}

export type DatabaseConfig =
  | { readonly engine: 'sqlite'; readonly file: string }
  | {
      readonly engine: 'postgres'
      readonly url: string
      readonly replica_urls: readonly string[]
      /** For LISTEN; null: `url`. */
      readonly listen_url: string | null
      /** Of this process: for reads, to each server, and for what is looked up by key. */
      readonly connections?: { readonly read: number; readonly lookup: number }
    }

/** An OpenID Connect provider, found by discovery. */
export interface IdentityProviderConfig {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string | null
  /** Instead of a secret: what Apple's signed one is made of at run time. */
  readonly signing_key: {
    readonly private_key: string
    readonly key_id: string
    readonly team_id: string
  } | null
  /** For people. */
  readonly name: string
  readonly scopes: string
  /** Every e-mail of this issuer counts as verified. */
  readonly trust_email: boolean
  /** Which roles it gives; null: none. */
  readonly role_map: { readonly claim: string; readonly roles: Readonly<Record<string, Role>> } | null
}

export const LLM_PROVIDERS = ['openai', 'anthropic', 'openai-compatible'] as const

export type LlmProvider = (typeof LLM_PROVIDERS)[number]

/** The model of each provider where LLM_MODEL names none; null: it has to. */
export const DEFAULT_MODELS: Record<LlmProvider, string | null> = {
  openai: 'gpt-6-astra',
  anthropic: 'claude-sonnet-5-5',
  'openai-compatible': null,
}

export interface LlmConfig {
  readonly provider: LlmProvider
  /** null: LLM_MODEL is still to be set. */
  readonly model: string | null
  readonly api_key: string | null
  /** The address up to and with `/v1`; null: the provider's own. */
  readonly base_url: string | null
}

export type Registration =
  | { readonly kind: 'open' | 'closed' }
  | { readonly kind: 'domain'; readonly domains: readonly string[] }

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
