import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import {
  type Config,
  type DatabaseConfig,
  type IdentityProviderConfig,
  LLM_PROVIDERS,
  LOG_LEVELS,
  type Registration,
} from '#src/domain/config.ts'
import { nearest } from '#src/domain/nearest.ts'
import {
  anyText,
  bytes,
  domain,
  flag,
  httpUrl,
  issuer,
  listOf,
  oneOf,
  origin,
  parseUrl,
  pem,
  port,
  type Setting,
} from '#src/domain/setting.ts'

/** A variable's name → what it means, its default, how it is read. The documentation is made of this table. */
export const SETTINGS = {
  HOST: setting('127.0.0.1', 'Listening address. `0.0.0.0` or `::` for all.', anyText),
  PORT: setting('3000', 'Listening port; `0` takes a free one.', port),
  PUBLIC_URL: setting(
    null,
    'What the browser sees: passkeys, redirects of identity providers and the check of origins go by it. Without it `http://localhost:PORT`, with TLS_CERT `https://localhost:PORT`.',
    origin,
  ),
  TLS_CERT: setting(
    null,
    'PEM file of the certificate (chain): serve HTTPS directly. Goes with TLS_KEY.',
    readFile,
  ),
  TLS_KEY: setting(null, 'PEM file of the private key.', readFile),
  TRUST_PROXY: setting(
    'false',
    'Honour `X-Forwarded-For`, `-Proto` and `-Host`. Only behind a proxy that sets them.',
    flag,
  ),
  DATABASE_URL: setting(
    'file:./data/facet.db',
    '`file:` is embedded SQLite; `postgres://` is PostgreSQL, several hosts separated by commas: the first that accepts writes is used.',
    database,
    'secret',
  ),
  DATABASE_REPLICA_URLS: setting(
    null,
    'Read replicas of PostgreSQL, separated by commas.',
    listOf(postgres),
    'secret',
  ),
  ...providerSettings('IDP_A', 'GET (`response_mode=query`)'),
  ...providerSettings('IDP_B', 'POST (`response_mode=form_post`)'),
  IDP_B_PRIVATE_KEY: setting(
    null,
    "Instead of IDP_B_CLIENT_SECRET: Apple's key (PEM), of which the signed secret is made at run time.",
    pem,
    'secret',
  ),
  IDP_B_KEY_ID: setting(null, 'The id of that key.', anyText),
  IDP_B_TEAM_ID: setting(null, "Apple's team id.", anyText),
  ACCOUNT_LINKING: setting(
    'merge',
    'What happens when a provider proves the e-mail of an existing account. `merge`: it is linked and keeps its password; `strict`: a password whose e-mail was never proven is dropped.',
    oneOf(['merge', 'strict'] as const),
  ),
  REGISTRATION: setting(
    'open',
    'Who may make an account: `open`, `closed`, or `domain:example.org,example.net`. Holds for accounts made by a provider too.',
    registration,
  ),
  LLM_PROVIDER: setting(
    'openai',
    'The model behind the chat: `openai`, `anthropic`, or `openai-compatible` (a local Ollama, vLLM, llama.cpp …; no key needed).',
    oneOf(LLM_PROVIDERS),
  ),
  LLM_MODEL: setting(null, "The model's name; without it the provider's default.", anyText),
  LLM_API_KEY: setting(null, "The provider's key.", anyText, 'secret'),
  LLM_BASE_URL: setting(null, 'The address up to and with `/v1`. Needed for `openai-compatible`.', httpUrl),
  CORS_ORIGINS: setting(
    null,
    'Origins that may call the API from a browser, with credentials; separated by commas.',
    listOf(origin),
  ),
  BODY_LIMIT: setting('32 MiB', 'Largest request body.', bytes),
  LOG_LEVEL: setting(
    'info',
    `Structured logs on standard output: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}. Never a password, code, cookie, token or key in one.`,
    oneOf(LOG_LEVELS),
  ),
}

type Values = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> | null }

/** All that is wrong with the environment, one line each. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((each) => `  ${each}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment, with `.env` of the working directory under it. */
export function readEnvironment(file = '.env'): Environment {
  return { ...readDotEnv(file), ...process.env }
}

function readDotEnv(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ConfigError([`${file} cannot be read: ${(error as Error).message}`])
  }
}

/** @throws ConfigError that lists everything that is wrong. */
export function loadConfig(environment: Environment = readEnvironment()): Config {
  const problems = unknownNames(environment)
  const values = readValues(environment, problems)
  const config = decide(values, problems)
  if (problems.length) throw new ConfigError(problems)
  return deepFreeze(config)
}

function readValues(environment: Environment, problems: string[]): Values {
  const values: Record<string, unknown> = {}
  for (const [name, { default: fallback, secret, parse }] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const text = environment[name]?.trim() || fallback
    values[name] = null
    if (text === null) continue
    try {
      values[name] = parse(text)
    } catch (error) {
      const got = secret ? '' : `, got '${text}'`
      problems.push(`${name}: ${(error as Error).message}${got}`)
    }
  }
  return values as Values
}

/** What a single variable cannot know: which go together, and defaults that hang on others. */
function decide(values: Values, problems: string[]): Config {
  const tls = values.TLS_CERT && values.TLS_KEY ? { cert: values.TLS_CERT, key: values.TLS_KEY } : null
  const needs = (name: keyof Values, other: keyof Values, why = '') => {
    if (values[name] !== null && values[other] === null) problems.push(`${name} needs ${other}${why}`)
  }
  needs('TLS_CERT', 'TLS_KEY')
  needs('TLS_KEY', 'TLS_CERT')
  if (values.LLM_PROVIDER === 'openai-compatible' && !values.LLM_BASE_URL)
    problems.push('LLM_PROVIDER=openai-compatible needs LLM_BASE_URL')
  return {
    host: values.HOST ?? '',
    port: values.PORT ?? 0,
    public_url: values.PUBLIC_URL ?? `${tls ? 'https' : 'http'}://localhost:${values.PORT}`,
    tls,
    trust_proxy: values.TRUST_PROXY ?? false,
    database: withReplicas(values, problems),
    idp_a: provider(values, 'IDP_A', problems),
    idp_b: provider(values, 'IDP_B', problems),
    account_linking: values.ACCOUNT_LINKING ?? 'merge',
    registration: values.REGISTRATION ?? { kind: 'open' },
    llm: {
      provider: values.LLM_PROVIDER ?? 'openai',
      model: values.LLM_MODEL,
      api_key: values.LLM_API_KEY,
      base_url: values.LLM_BASE_URL,
    },
    cors_origins: values.CORS_ORIGINS ?? [],
    body_limit: values.BODY_LIMIT ?? 0,
    log_level: values.LOG_LEVEL ?? 'info',
  }
}

function withReplicas({ DATABASE_URL, DATABASE_REPLICA_URLS }: Values, problems: string[]): DatabaseConfig {
  if (DATABASE_URL?.engine !== 'postgres') {
    if (DATABASE_REPLICA_URLS) problems.push('DATABASE_REPLICA_URLS needs a DATABASE_URL of PostgreSQL')
    return DATABASE_URL ?? { engine: 'sqlite', file: '' }
  }
  return { ...DATABASE_URL, replica_urls: DATABASE_REPLICA_URLS ?? [] }
}

function provider(
  values: Values,
  prefix: 'IDP_A' | 'IDP_B',
  problems: string[],
): IdentityProviderConfig | null {
  const own = <N extends ProviderSetting>(name: N) => values[`${prefix}_${name}`]
  const key = prefix === 'IDP_B' ? signingKey(values, problems) : null
  const [issuer, client_id, client_secret] = [own('ISSUER'), own('CLIENT_ID'), own('CLIENT_SECRET')]
  if (issuer === null && client_id === null && client_secret === null && !key) return null
  if (issuer === null) problems.push(`${prefix}_ISSUER is missing`)
  if (client_id === null) problems.push(`${prefix}_CLIENT_ID is missing`)
  if (client_secret && key) problems.push('IDP_B_CLIENT_SECRET and IDP_B_PRIVATE_KEY exclude each other')
  if (client_secret === null && !key)
    problems.push(`${prefix}_CLIENT_SECRET is missing${prefix === 'IDP_B' ? ' (or IDP_B_PRIVATE_KEY)' : ''}`)
  return {
    issuer: issuer ?? '',
    client_id: client_id ?? '',
    client_secret,
    signing_key: key,
    name: own('NAME') ?? (issuer ? new URL(issuer).hostname : ''),
    scopes: own('SCOPES') ?? '',
    trust_email: own('TRUST_EMAIL') ?? false,
  }
}

function signingKey(values: Values, problems: string[]): IdentityProviderConfig['signing_key'] {
  const parts = {
    private_key: values.IDP_B_PRIVATE_KEY,
    key_id: values.IDP_B_KEY_ID,
    team_id: values.IDP_B_TEAM_ID,
  }
  const missing = Object.entries(parts).filter(([, value]) => value === null)
  if (missing.length === 3) return null
  for (const [name] of missing)
    problems.push(`IDP_B_${name.toUpperCase()} is missing: key, its id and the team id go together`)
  return parts as NonNullable<IdentityProviderConfig['signing_key']>
}

/** A mistyped IDP_ variable would silently switch a provider off. */
function unknownNames(environment: Environment): string[] {
  const known = Object.keys(SETTINGS)
  return Object.keys(environment)
    .filter((name) => /^IDP_[AB]_/.test(name) && !known.includes(name))
    .map((name) => {
      const close = nearest(name, known)
      return `${name} is unknown${close ? `; did you mean ${close}?` : ''}`
    })
}

type ProviderSetting = 'ISSUER' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'NAME' | 'SCOPES' | 'TRUST_EMAIL'

function providerSettings<P extends 'IDP_A' | 'IDP_B'>(prefix: P, answered: string) {
  const callback = `PUBLIC_URL/api/auth/oauth/${prefix.toLowerCase()}/callback`
  const settings = {
    ISSUER: setting(
      null,
      `An OpenID Connect provider, found by discovery (\`http:\` only on loopback). Its redirect URI is \`${callback}\`, answered by ${answered}.`,
      issuer,
    ),
    CLIENT_ID: setting(null, 'The client id that the provider gave.', anyText),
    CLIENT_SECRET: setting(null, 'The client secret that the provider gave.', anyText, 'secret'),
    NAME: setting(null, "The provider's name for people; without it the issuer's host name.", anyText),
    SCOPES: setting('openid email profile', 'What is asked of the provider.', anyText),
    TRUST_EMAIL: setting(
      'false',
      'Take every e-mail of this issuer as verified (Microsoft sends no such claim).',
      flag,
    ),
  }
  return Object.fromEntries(Object.entries(settings).map(([name, each]) => [`${prefix}_${name}`, each])) as {
    [N in ProviderSetting as `${P}_${N}`]: (typeof settings)[N]
  }
}

function setting<T>(
  fallback: string | null,
  meaning: string,
  parse: (text: string) => T,
  secret?: 'secret',
): Setting<T> {
  return { default: fallback, meaning, parse, ...(secret && { secret: true }) }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`expected a readable PEM file (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    })
  }
}

function database(text: string): DatabaseConfig {
  if (text.startsWith('file:')) {
    const file = decodeURIComponent(text.slice('file:'.length).replace(/^\/\/(?=\/)/, ''))
    if (file && !file.endsWith('/') && !/[?#]/.test(file)) return { engine: 'sqlite', file }
  }
  if (/^postgres(ql)?:/.test(text)) return { engine: 'postgres', url: postgres(text), replica_urls: [] }
  throw new Error('expected file:PATH or postgres://user:password@host:port/name')
}

function postgres(text: string): string {
  // Several hosts are no URL to the platform, so the list is checked host by host.
  const [, before = '', hosts = '', after = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(text) ?? []
  const valid = hosts.split(',').every((host) => host && parseUrl(`${before}${host}${after}`))
  if (!valid) throw new Error('expected postgres://user:password@host:port/name')
  return text
}

function registration(text: string): Registration {
  if (text === 'open' || text === 'closed') return { kind: text }
  const [, list] = /^domain:(.*)$/.exec(text) ?? []
  const domains = list === undefined ? [] : listOf(domain)(list)
  if (!domains.length) throw new Error('expected open, closed or domain:example.org,example.net')
  return { kind: 'domain', domains }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
